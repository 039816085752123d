import { countMessages } from '@palimpsest/core'
import type { Arm } from '../arms/arm.ts'
import { HOSTS_OWN } from '../arms/arms.ts'
import { truncate } from '../arms/bounds.ts'
import { engineArm, THRESHOLD } from '../arms/engine-arm.ts'
import { enginesWith } from '../arms/engines.ts'
import { projectionArm } from '../arms/projection-arm.ts'
import { projectSimply, SIMPLE_PROJECTIONS } from '../kept/simple-projections.ts'

const [thirtyLines] = SIMPLE_PROJECTIONS as [(typeof SIMPLE_PROJECTIONS)[number]]

const simple = projectionArm(
  { name: thirtyLines.name, description: thirtyLines.description, kind: 'bound' },
  (transcript, { budget, tokens }) =>
    countMessages(tokens, transcript) <= budget
      ? transcript
      : projectSimply(thirtyLines, transcript, budget, tokens),
)

/** Compactions of hosts beside our engines, and beside thirty lines of code. */
export const HOST_ARMS: readonly Arm[] = [
  truncate,
  simple,
  ...enginesWith({ threshold: THRESHOLD }).map(engineArm),
  ...HOSTS_OWN,
]
