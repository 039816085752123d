import { COST_ARMS } from './cost/cost-arms.ts'
import { longDialogue } from './cost/long-dialogue.ts'
import { playCost } from './cost/play-cost.ts'
import { shortOnly } from './cost/cost-profiles.ts'
const window = Number(process.argv[2]), tokens = Number(process.argv[3])
const t0=performance.now(); const messages = longDialogue(1, tokens); console.log(messages.length, performance.now()-t0)
for (const arm of COST_ARMS) {
  const t=performance.now()
  const p = await playCost({arm, messages, window, profile: shortOnly('claude-sonnet-5-5'), pacing:'steady', compactAt:'threshold', seed:1})
  console.log(arm.name, p.bill, p.summaries, p.rest, p.warnings, p.compacted.length, p.compacted.slice(0,6), 'ms', performance.now()-t)
}
