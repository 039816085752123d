import { findTechnologies } from '../slots/find-technologies.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { areaOf } from './area.ts'
import { asFinding } from './as-finding.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { objectsAt } from './objects.ts'
import { areAlike } from './place.ts'
import { isName, NAME_PATTERN } from './unknown-value.ts'

/** "the database is Postgres", "package manager: pnpm", "for auth we'll have JWT". */
const IS =
  /^\s*(?:(?:of choice|be|we(?:'ll| will)? use|we want|stays|remains|shall be|should be|must be|will be|is going to be|is now|are now|needs? to be|has to be|have to be|is|are|will use|should use|must use|uses|vai ser|va a ser|vão ser|van a ser|ist|sind|wird|soll|est|sera|es|será|son|é|são|это|sera|seront|serão|serán|будут|будет)(?=\s|$)|->|=>|[=:：→–—]|是|は|는|은|을|를|로)(?:\s*(?:[:：–—]|(?:still|just|simply|always|now|plain|going to be|to be|will be|is|are)(?=\s)))*\s*/iu

/** "Postgres it is", "pnpm wins", "React is the choice". */
const VERDICT =
  /^\s*(?:(?:it is|it'?ll be|it stays|wins|for the win|(?:would|could|should|might) (?:help|work|fit|do|be enough|be (?:a )?(?:good|better|best|fine|great|solid|nicer?|the))|fits|works (?:well|best|great)|(?:is|would be|seems) (?:the|our|my) (?:final |best |better |obvious )?(?:choice|pick|recommendation|preference|suggestion|fit|option|winner|answer|decision|one|way to go)|is what we(?:'re| are|'ll| will)? (?:use|using|going with|go with|want)|is (?:decided|settled|final|set|locked in|enough(?: for us)?|fine|ok|okay))(?=[\s.,!;:]|$))/i
const ANNOUNCED =
  /^(?:\W*(?:ok|okay|so|and|alright|right|well|then)[,.]?\s+)*(?:the |my |our )?(?:final |team )?(?:decision|decided|answer|verdict|choice|conclusion|pick|settled|recommendation|suggestion|proposal|preference|vote|resolution|agreed|entscheidung|décision|decisión|decisão|решение|решено|决定|決定|결정)(?: (?:is|was made|made|on [\w ]{2,30}|for [\w ]{2,30}))?\s*[:：,–-]\s*/iu
const ROLE =
  /^\s*(?:is|will be|should be|becomes?|remains|stays|as)\s+(?:the|our|my)\s+(?:(?:new|main|primary|only|default|official|one)\s+)*([\w -]{2,30})/i

/** What a clause states without a verb of choosing. */
export function readStatements(clause: Clause): Finding[] {
  const { shape } = clause
  const announced = ANNOUNCED.exec(shape)
  if (announced !== null) {
    const chosen = objectsAt(shape, announced[0].length, shape.length)
    if (chosen.length > 0) return chosen.map((choice) => asFinding(clause, choice, false))
  }
  return verdict(clause) ?? byNaming(clause) ?? byRole(clause)
}

const LICENSED = /(?:it's|it is|we're|we are|project is|code is|package is)\s+(?:all\s+)?$/i

function verdict(clause: Clause): Finding[] | undefined {
  const { shape } = clause
  const licence = findTechnologies(shape).find(({ technology }) => technology.slots[0] === 'license')
  if (
    licence !== undefined &&
    LICENSED.test(shape.slice(0, licence.start)) &&
    /^[\s-]*licen[sc]ed/i.test(shape.slice(licence.end))
  )
    return [
      asFinding(
        clause,
        { slot: 'license', value: licence.value, area: '', start: 0, end: 0, isChange: false },
        false,
      ),
    ]
  const [mention] = findTechnologies(shape)
  if (mention === undefined || !LEAD.test(shape.slice(0, mention.start))) return undefined
  const behind = shape.slice(mention.end)
  const role = ROLE.exec(behind)
  const word = role?.[1] === undefined ? undefined : findSlotWords(role[1])[0]
  if (VERDICT.test(behind))
    return objectsAt(shape, mention.start, mention.end).map((choice) =>
      asFinding(
        clause,
        {
          ...choice,
          area: areaOf(/\bfor\s.*$/i.exec(behind)?.[0] ?? '', choice.slot),
          ...slotIn(behind, mention.technology.slots),
        },
        false,
      ),
    )
  if (word === undefined || word.start > 0) return undefined
  const choice = {
    slot: word.slot,
    value: mention.value,
    area: areaOf(behind.slice(role?.[0].length), word.slot),
    start: 0,
    end: 0,
    isChange: false,
  }
  return [asFinding(clause, choice, false)]
}

/** "topics are named in kebab-case", "public functions are camelCase, types PascalCase". */
function byNaming(clause: Clause): Finding[] | undefined {
  const { shape } = clause
  const mentions = findTechnologies(shape).filter(
    ({ technology, sure }) => sure && technology.slots[0] === 'naming',
  )
  let from = 0
  const found: Finding[] = []
  for (const mention of mentions) {
    const before = shape.slice(from, mention.start)
    from = mention.end
    const subject =
      /(?:^|[,;:]|\b(?:and|but)\b)\s*(?:the |our |all )*([\p{L} -]{2,30}?)\s*(?:(?:are|is|be|should be|must be|stay|use|uses|named?|written|in|as|get|have|:)\b[^,;]{0,40})?$/iu.exec(
        before,
      )?.[1] ?? ''
    if (/\b(?:not|no|never|or|from|than)\b/i.test(before.slice(-12))) continue
    found.push(
      asFinding(
        clause,
        {
          slot: 'naming',
          value: mention.value,
          area: areaOf(`for ${subject}`, 'naming'),
          start: 0,
          end: 0,
          isChange: false,
        },
        false,
      ),
    )
  }
  return found.length > 0 ? found : undefined
}

function slotIn(words: string, slots: readonly string[]): { slot?: string } {
  const word = findSlotWords(words).find(({ slot }) => slots.includes(slot))
  return word === undefined ? {} : { slot: word.slot }
}

const LEAD =
  /^\s*(?:(?:ok|okay|so|and|then|yes|no|alright|right|great|fine|good|well|now|actually|in the end)[,.:]?\s+)*(?:the |an? |plain |just |good old |vanilla )?$/i

const LEAD_TO_SLOT =
  /(?:^|[,;:(]\s*|\b(?:and|then|that|so)\s+)(?:(?:the|our|my|for|as|for the|for our|as the|as our|primary|main|default|project(?:'s)?|let|let the|final|new|all|preferred|chosen|official|target|production|unser\w*|die|der|das|den|la|el|le|nuestr\w+|notre|o|a|nosso|nossa|наш\w*)\s+)*([\w-]+\s+){0,2}$/iu

function byRole(clause: Clause): Finding[] {
  const { shape } = clause
  const found: Finding[] = []
  let behind = 0
  for (const word of findSlotWords(shape)) {
    if (word.start < behind) continue
    const link = IS.exec(shape.slice(word.end)) ?? inArea(shape.slice(word.end))
    if (link === null || /^\s*$/.test(link[0])) continue
    const left = LEAD_TO_SLOT.exec(shape.slice(behind, word.start))
    if (left === null) continue
    const from = word.end + link[0].length
    const [chosen, ...others] = objectsAt(shape, from, shape.length)
    const prefix = areaOf(`for ${left[1] ?? ''}`, word.slot)
    if (chosen !== undefined) {
      const area = chosen.area || prefix || areaOf(/\b(?:for|in)\s[^:]*/i.exec(link[0])?.[0] ?? '', word.slot)
      const isFit = fits(chosen.value, word.slot, chosen.slot)
      const part = isFit ? area : areaOf(`for ${shape.slice(word.start, word.end)}`, '')
      found.push(asFinding(clause, { ...chosen, slot: isFit ? word.slot : chosen.slot, area: part }, false))
      for (const other of others) found.push(asFinding(clause, other, false))
      behind = others.at(-1)?.end ?? chosen.end
      continue
    }
    const name = new RegExp(
      String.raw`^(?:(?:an?|the)\s+)?(${NAME_PATTERN})\s*(?:[.,;!)]|$|\bfor\b|\bin\b)`,
    ).exec(shape.slice(from))
    if (name?.[1] === undefined || !isName(name[1]) || findTechnologies(name[1]).length > 0 || isWay(shape))
      continue
    found.push(
      asFinding(
        clause,
        { slot: word.slot, value: name[1], area: prefix, start: 0, end: 0, isChange: false },
        false,
      ),
    )
    behind = from + name[0].length
  }
  return found
}

/** "Settings → Appearance", "Search: editor.fontSize": the way to something. */
function isWay(shape: string): boolean {
  return /→|->|^\s*(?:search|open|check|run|go to|click|select|press|see|look)\b/i.test(shape)
}

/** "the database for analytics is …" */
function inArea(rest: string): RegExpExecArray | null {
  return /^\s+(?:for|in|of|on)\s+(?:the |our )?[\w -]{2,40}?\s+(?:(?:should|must|will|has to)\s+(?:be|use)|is|are|:|=)\s*/i.exec(
    rest,
  )
}

/** Whether the slot that was said can hold the technology; "the frontend is TypeScript" speaks of a language. */
function fits(value: string, slot: string, first: string): boolean {
  const slots = findTechnologies(value)[0]?.technology.slots ?? []
  return slots.includes(slot) || areAlike(slot, first)
}
