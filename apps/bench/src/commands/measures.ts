import { cost } from './cost.ts'
import { decisions } from './decisions.ts'
import { dialogues } from './dialogues.ts'
import { grep } from './grep.ts'
import { growth } from './growth.ts'
import { hosts } from './hosts.ts'
import { judge } from './judge.ts'
import { kept } from './kept.ts'
import { lcm } from './lcm.ts'
import { load } from './load.ts'
import { recovered } from './recovered.ts'
import { redaction } from './redaction.ts'
import { scale } from './scale.ts'
import { session } from './session.ts'
import { speed } from './speed.ts'
import { starts } from './starts.ts'

/** All that is measured, by the name of the subcommand, in the order of the pages. */
export const MEASURES = {
  kept,
  hosts,
  recovered,
  dialogues,
  judge,
  grep,
  decisions,
  growth,
  cost,
  speed,
  starts,
  session,
  load,
  redaction,
  lcm,
  scale,
}
