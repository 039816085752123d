import { areaOf } from './area.ts'
import type { Clause } from './clauses.ts'
import type { Finding, Voice } from './finding.ts'
import type { Token } from './scan.ts'
import { settingSlot } from './slug.ts'

const NAME = '(?<name>H?(?:[xKTIU](?!f)){0,2}(?:xp)?Z(?:[xK](?=[:=i]))?|H[xKT]{1,2}(?=[:=i])|I)'
const OF = '(?<of>[pP][dV]*[xK]{1,3})?'
/** Words between the beginning of a clause and the name of a setting: a speaker and a verb. */
const LEAD =
  '(?:^|(?<=[,a]))[fA,.:"·-]*(?<front>[PpF][dV]*[xK]{1,4},?(?=[sCUZ,mdxK]))?(?:[smMfA,]*[CUR])?t?[dVf]*'
const VALUE = 'Q(?:(?:,?[on]|F)(?<old>Q))?'
/** Behind a value stands nothing, or what it is for. */
const BEHIND = '(?=$|[,;a.!)(fAbHVc]|[PpFoV][dVf]*[xKIZTEQ/]{1,4}(?:$|[,;a.!f]))'

const shapeOf = (pattern: string): RegExp => new RegExp(pattern, 'gd')
const SHAPES: readonly RegExp[] = [
  // "raise the retries from 5 to 8", "the timeout is not 417 but 500 ms"
  shapeOf(`${LEAD}${NAME}${OF}(?:F(?<was>Q)t|[ifm]*[no](?<not>Q),?b)(?<value>Q)${BEHIND}`),
  // "cap the queue at 1000", "keep logs for 14 days"
  shapeOf(
    `${LEAD.replace('[CUR])?t?', '[CUS])')}(?<name>[xKTZI]{1,4})${OF}[tpPH]{1,2}(?<value>${VALUE})${BEHIND}`,
  ),
  // "the timeout is 30 s", wherever it stands
  shapeOf(`[dV]*(?<name>H?[xKT]{0,2}Z)${OF}[mMf]*[:=itjL]H?(?<value>${VALUE})${BEHIND}`),
  // "timeout: 30 s", "the port is 8080", "batch size 64"
  shapeOf(`${LEAD}${NAME}${OF}[mMf]*[:=ijtHLp-]{0,3}f?(?<value>${VALUE})${BEHIND}`),
  // "map is 64 x 64"
  shapeOf(`(?:^|(?<=,))[fA,]*(?<name>[xKTI]{1,2})[if]*i(?<value>${VALUE})(?=$|[,;.!(])`),
  // "uploads are limited to 25 MB"
  shapeOf(`(?:^|(?<=[,a]))[fA,]*[dV]*(?<name>[xKTZI]{1,3})[mMf]*L(?<value>${VALUE})${BEHIND}`),
  // "at most 3 photos", "the pool has at most 20 connections"
  shapeOf(
    `(?:(?:^|(?<=[,a]))[fA,]*(?:[CU]|(?:[dV]*(?<name>[xKZ]{1,3})[mMif]+))?[dV]*)H(?<value>${VALUE})(?<noun>[xZ](?![xZ]))?${BEHIND}`,
  ),
  // "the player gets 3 lives", "sync every 15 minutes"
  shapeOf(`(?:^|(?<=[,a]))[fA,]*[dV]*[xK]i(?<value>Q)(?<name>Z)${BEHIND}`),
  shapeOf(`(?:^|(?<=[,a]))[fA,]*(?<name>[xK]{1,2})V(?<value>Q)${BEHIND}`),
]

/** The settings that a clause gives a value. */
export function readSettings(clause: Clause, voice: Voice): Finding[] {
  const { signs, tokens } = clause
  if (
    !signs.includes('Q') ||
    /k/.test(signs) ||
    /y/.test(signs.slice(0, Math.max(0, signs.search('Q')))) ||
    (voice === 'assistant' && !/[sGqh]/.test(signs))
  )
    return []
  const said =
    voice === 'assistant'
      ? signs.replace(/^[fA,:]*[sqGhmM]+[U]?/, (lead) => 'f'.repeat(lead.length)).replace(/\?$/, '.')
      : signs
  const taken = new Set<number>()
  const found: (Finding & { at: number })[] = []
  for (const shape of SHAPES)
    for (const { indices } of said.matchAll(shape)) {
      const part = (name: string): readonly Token[] => {
        const [from = 0, to = 0] = indices?.groups?.[name] ?? []
        return tokens.slice(from, to)
      }
      const [value] = part('value')
      if (value === undefined || taken.has(value.start) || isAside(said, indices?.groups)) continue
      const named =
        part('name').length > 0 ? part('name') : part('noun').length > 0 ? part('noun') : undefined
      const slot =
        named === undefined ? unitOf(value) : settingSlot(named.map((token) => token.text).join(' '))
      const old = [...part('was'), ...part('not'), ...part('old')][0]
      if (slot === '' || (old === undefined && isFact(clause, value))) continue
      taken.add(value.start)
      const behind = tokens.slice(tokens.indexOf(value) + 1)
      const area = areaOf(part('of')) || areaOf(purposeOf(behind)) || areaOf(part('front'))
      found.push({
        at: value.start,
        kind: 'choice',
        slot: `setting:${slot}`,
        value: value.text.trim(),
        area,
        start: clause.start,
        end: clause.end,
        isChange: old !== undefined || clause.isChange || /[C]/.test(signs),
        ...(old !== undefined && { replaces: old.text.trim() }),
        ...(clause.reason !== undefined && { reason: clause.reason }),
      })
    }
  return found.sort((a, b) => a.at - b.at).map(({ at: _, ...finding }) => finding)
}

/** In parentheses, as logs give details, or a number of things that a technology is for: "Redis for two clusters". */
function isAside(signs: string, places: Readonly<Record<string, [number, number]>> | undefined): boolean {
  const [from, to] = places?.name ?? [0, 0]
  const isOpen = signs.lastIndexOf('(', from) > signs.lastIndexOf(')', from)
  return (
    isOpen || (/^T+$/.test(signs.slice(from, to)) && !/[:=ijtHL]/.test(signs.slice(to, places?.value?.[0])))
  )
}

/** "in the worker", directly behind a value. */
function purposeOf(tokens: readonly Token[]): readonly Token[] {
  const signs = tokens.map(({ sign }) => sign).join('')
  return tokens.slice(0, /^f*[pP][dV]*[xKIZ]{1,4}(?=$|[,;a.!f])/.exec(signs)?.[0].length ?? 0)
}

/** "at most 20 connections" names what is counted. */
function unitOf({ text }: Token): string {
  const unit = /\d\s?(\p{L}{4,})$/u.exec(text)?.[1]?.toLowerCase() ?? ''
  return unit === '' ? '' : `max-${unit}`
}

/** "accuracy is 98" tells how things are; "should be", "stays at" and "must be" say how they are wanted. */
function isFact({ tokens, signs, isChange }: Clause, value: Token): boolean {
  const at = tokens.indexOf(value)
  return (
    !isChange && /^(?:is|are)$/i.test(tokens[at - 1]?.text ?? '') && !/[sUCRDMAN]/.test(signs.slice(0, at))
  )
}
