import { type JudgeInput, judgeResidue, settleRulings } from '../../src/refine/judge-residue.ts'

/** What a model says of a residue, and what comes of that for the log. */
export async function judge(input: JudgeInput) {
  const rulings = await judgeResidue(input)
  return {
    verdicts: rulings.map(({ verdict }) => verdict),
    events: settleRulings(rulings, input.context).events,
  }
}
