import type { Residue } from '../resolve/resolve-context.ts'
import { asLine, DATA_NOTE } from './prompt-data.ts'

const LINE_CHARACTERS = 300

export const JUDGE_SYSTEM = `You compare new findings about a software project with what is known already. ${DATA_NOTE} Answer with JSON only.`

/** The candidates with the decisions that each may repeat, numbered from 1, and what to answer. */
export function judgePrompt(residue: readonly Residue[], quoteOf: (item: Residue) => string): string {
  const blocks = residue.map((item, index) => {
    const neighbours = item.neighbours.map(({ id, l0 }) => `[${id}] ${asLine(l0, LINE_CHARACTERS)}`)
    return `<candidate number="${index + 1}">\n${asLine(lineOf(item), LINE_CHARACTERS)}\n<quote>${asLine(quoteOf(item), LINE_CHARACTERS)}</quote>\n<neighbours>\n${neighbours.join('\n')}\n</neighbours>\n</candidate>`
  })
  return `${blocks.join('\n')}

For each candidate, say what it is beside its neighbours:
- CREATE: it says something that none of them says, also when it contradicts one
- MERGE: it says what one of them says; name that one in "with"
- SKIP: it adds nothing worth keeping, or you are in doubt
Answer with {"verdicts": [{"candidate": 1, "verdict": "CREATE" | "MERGE" | "SKIP", "with": "id"}]}.`
}

function lineOf({ candidate }: Residue): string {
  if (candidate.kind !== 'assert' && candidate.kind !== 'propose') return ''
  const { l0, choice } = candidate.choice
  return l0 === '' ? choice : l0
}
