import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { findExpressions } from './expressions/find.ts'
import { judge } from './expressions/judge.ts'

/**
 * `pnpm expressions`: fails when a regular expression of the builds can take more than linear time on a text, and names
 * the text. What was found linear stands in `expressions/linear.txt`; only what is new is judged. `--write` puts it there.
 */
const LINEAR = new URL('./expressions/linear.txt', import.meta.url)
/** Expressions above linear that only see short texts, behind the bound of these texts. */
const BOUNDED = new URL('./expressions/bounded.txt', import.meta.url)
const PARALLEL = 2

process.env.RECHECK_BACKEND ??= 'native'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

const isWriting = process.argv.includes('--write')
const faults: string[] = []
// A judge that finds nothing any more would let everything pass. On a long text this one takes minutes.
const { kind } = await judge('a+$', '', [300])
if (kind !== 'above linear') faults.push(`the judge calls /a+$/ ${kind}, and it is above linear`)
const known = new Set(readFileSync(LINEAR, 'utf8').split('\n'))
const found = await findExpressions()
const bounded = readFileSync(BOUNDED, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('/'))
for (const text of bounded)
  if (!found.has(text)) faults.push(`${text}\n  stands in expressions/bounded.txt, and in no build`)
const linear = [...found.keys()].filter((text) => known.has(hashOf(text)))
const waiting = [...found].filter(([text]) => !bounded.includes(text) && !known.has(hashOf(text)))
const judged = waiting.length
const write = () => writeFileSync(LINEAR, `${linear.map(hashOf).sort().join('\n')}\n`)
await Promise.all(
  Array.from({ length: PARALLEL }, async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [text, { source, flags, files }] = next
      const verdict = await judge(source, flags)
      if (verdict.kind === 'linear') {
        linear.push(text)
        if (isWriting) write()
      } else if (verdict.kind === 'unknown')
        faults.push(
          `${[...files].join(', ')}\n  ${text}\n  recheck cannot judge it (${verdict.reason}): make it simpler`,
        )
      else
        faults.push(
          `${[...files].join(', ')}\n  ${text}\n  ${verdict.complexity}, on the text ${verdict.attack}: make it linear, or put it into expressions/bounded.txt with the bound of its text`,
        )
    }
  }),
)
if (isWriting) write()
for (const fault of faults) console.error(`${fault}\n`)
console.log(
  `${found.size} regular expressions: ${linear.length} linear (${judged} judged now), ${bounded.length} on short texts only, ${faults.length} faults`,
)
process.exit(faults.length > 0 ? 1 : 0)
