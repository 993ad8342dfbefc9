import { PRIMITIVES } from '../../primitives/table.ts';

/** Keywords of WGSL and the words that it reserves (WGSL specification, sections "Keywords" and "Reserved Words"). */
const KEYWORDS = `alias break case const const_assert continue continuing default diagnostic discard else enable false fn
for if let loop override requires return struct switch true var while

NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become binding_array cast catch
class co_await co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval
constexpr constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends
extern external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import
inline instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable namespace new nil
noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of operator package packoffset
partial pass patch pixelfragment precise precision premerge priv protected pub public readonly ref regardless register
reinterpret_cast require resource restrict self set shared sizeof smooth snorm static static_assert static_cast std
subroutine super target template this thread_local throw trait try type typedef typeid typename typeof union unless unorm
unsafe unsized use using varying virtual volatile wgsl where with writeonly yield`;

/** Names that generated shaders use themselves: a variable of that name would hide them. */
const SHADER_NAMES = `floats words registers Registers id invocation main array f32 i32 u32 bool vec3u bitcast floatOfBits`;

/** Words that no variable of a generated shader may have as name. */
export const wgslReserved: ReadonlySet<string> = new Set([
  ...`${KEYWORDS} ${SHADER_NAMES}`.split(/\s+/),
  ...PRIMITIVES.flatMap(({ name, overloads }) => [name, ...overloads.map((o) => o.called)]),
]);
