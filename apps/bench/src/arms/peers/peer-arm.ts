import type { Arm, OpenInput } from '../arm.ts'
import { type Show, toollessArm } from '../toolless-arm.ts'
import { findFaults } from './find-faults.ts'

/** An arm that runs a package of others; what is wrong with its projections is added to the warnings. */
export function peerArm(about: Pick<Arm, 'name' | 'description'>, open: (input: OpenInput) => Show): Arm {
  return toollessArm({ ...about, kind: 'peer' }, (input) => {
    const show = open(input)
    return async (transcript) => {
      const shown = await show(transcript)
      return { ...shown, warnings: [...shown.warnings, ...findFaults(shown.messages, transcript)] }
    }
  })
}
