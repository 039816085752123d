import type { Decision } from '../log/decision.ts'
import type { Residue } from '../resolve/resolve-context.ts'
import { asLine, DATA_NOTE } from './prompt-data.ts'

const LINE_CHARACTERS = 300

export const JUDGE_SYSTEM = `You compare new findings about a software project with what is known already. ${DATA_NOTE} Answer with JSON only.`

/** The candidates with the decisions that each may repeat, numbered from 1, and what to answer. */
export function judgePrompt(residue: readonly Residue[], quoteOf: (item: Residue) => string): string {
  const blocks = residue.map((item, index) => {
    const neighbours = item.neighbours.map(
      (decision) => `[${decision.id}] ${asLine(wholeOf(decision), LINE_CHARACTERS)}`,
    )
    return `<candidate number="${index + 1}">\n${asLine(lineOf(item), LINE_CHARACTERS)}\n<quote>${asLine(quoteOf(item), LINE_CHARACTERS)}</quote>\n<neighbours>\n${neighbours.join('\n')}\n</neighbours>\n</candidate>`
  })
  return `${blocks.join('\n')}

For each candidate, say what it is beside its neighbours:
- CREATE: it says something that none of them says, also when it contradicts one
- MERGE: it repeats one of them, or adds a detail to the same fact; name that one in "with"
- SKIP: it adds nothing worth keeping, or you are in doubt
${residue.length > 1 ? 'A candidate before it counts as a neighbour, too: name its number in "with".\n' : ''}Answer with {"verdicts": [{"candidate": 1, "verdict": "CREATE" | "MERGE" | "SKIP", "with": "id"}]}.`
}

/** The text of a decision, with what merges added to it. */
function wholeOf({ l0, merged }: Decision): string {
  return [l0, ...merged.map(({ text }) => text)].join('; ')
}

function lineOf({ candidate }: Residue): string {
  if (candidate.kind !== 'assert' && candidate.kind !== 'propose') return ''
  const { l0, choice } = candidate.choice
  return l0 === '' ? choice : l0
}
