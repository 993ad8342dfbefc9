/** URDF of a two-link arm whose joints rotate about y. */
export const ARM_URDF = `<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 -0.2" rpy="0 0 0"/>
      <mass value="1.5"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.003"/>
    </inertial>
    <visual><origin xyz="0 0 -0.2"/><geometry><box size="0.05 0.05 0.4"/></geometry></visual>
  </link>
  <link name="lower">
    <inertial>
      <origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/>
      <mass value="0.8"/>
      <inertia ixx="0.004" ixy="0.0005" ixz="0" iyy="0.001" iyz="0" izz="0.0045"/>
    </inertial>
    <visual><geometry><sphere radius="0.05"/></geometry></visual>
  </link>
  <joint name="shoulder" type="continuous">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 1"/>
    <axis xyz="0 1 0"/>
    <dynamics damping="0.1" friction="0.05"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="lower"/>
    <origin xyz="0 0 -0.4" rpy="0 0.5 0"/>
    <axis xyz="0 1 1"/>
    <limit lower="-0.2" upper="0.3" effort="4" velocity="10"/>
    <dynamics damping="0.02"/>
  </joint>
</robot>
`;

/**
 * The two-link arm as MJCF, with angles in degrees, a default class, and the lower joint away from its body's origin.
 */
export const ARM_MJCF = `<mujoco model="arm">
  <compiler angle="degree" eulerseq="xyz"/>
  <option gravity="0 0 -9.81"/>
  <default>
    <joint damping="0.1"/>
    <default class="elbows">
      <joint damping="0.02" axis="0 1 1"/>
    </default>
  </default>
  <worldbody>
    <body name="base">
      <body name="upper" pos="0 0 1">
        <joint name="shoulder" axis="0 1 0" frictionloss="0.05"/>
        <inertial pos="0 0 -0.2" mass="1.5" diaginertia="0.02 0.02 0.003"/>
        <geom type="box" pos="0 0 -0.2" size="0.025 0.025 0.2"/>
        <body name="lower" pos="0 0 -0.4" euler="0 28.64788975654116 0" childclass="elbows">
          <joint name="elbow" range="-11.459155902616465 17.188733853924695"/>
          <inertial pos="0.1 0 0" euler="0 0 90" mass="0.8" fullinertia="0.004 0.001 0.0045 0.0005 0 0"/>
          <geom size="0.05"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="elbow" joint="elbow" forcerange="-4 4"/></actuator>
</mujoco>
`;
