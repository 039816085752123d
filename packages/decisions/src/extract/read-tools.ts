import { findTechnologies } from '../slots/find-technologies.ts'
import { slotOfWord } from '../slots/slot-lookup.ts'
import { areaOf } from './area.ts'
import { asFinding } from './as-finding.ts'
import type { Clause } from './clauses.ts'
import type { Finding } from './finding.ts'
import { DUTY } from './lexicon/duty-words.ts'
import { isReport } from './moods.ts'

/** What may stand before a tool that is the subject of a sentence. */
const LEAD =
  /(?:^|[,;:.–—(]|(?<!\p{L})(?:and|while|then|und|et|y|e|и)(?!\p{L}))\s*(?:(?:the|our|let|so|then|ok|okay)\s+)*$/iu
/** "Vector replaces Fluentd": a name for another. */
const REPLACES =
  /^\s+(?:(?:will|shall|should|now)\s+)*(?:replaces?|supersedes?|takes? over (?:from|for)|takes? the place of|ersetzt|löst|remplace|reemplaza a?|sustituye a?|substitui|заменяет|заменит)\s+(?:the\s+|our\s+)?(?<old>[\p{L}\d][\p{L}\d.+#/-]*)/iu
const NAME =
  /(?:^|[,;:]\s*|\band\s+)(?<name>\p{Lu}[\p{L}\d.+#-]+)(?=\s+(?:replaces|supersedes|takes over|takes the place|ersetzt|remplace|reemplaza|substitui|заменяет)\s)/gu

/** Tools that are said to do their work: "oxlint lints, prettier formats", "Vector replaces Fluentd". */
export function readTools(clause: Clause, known: readonly Finding[]): Finding[] {
  const { shape } = clause
  if (isReport(shape)) return []
  const found: Finding[] = []
  for (const mention of findTechnologies(shape)) {
    const isKnown = [...known, ...found].some(({ value }) => value === mention.value)
    const behind = shape.slice(mention.end)
    if (isKnown || !LEAD.test(shape.slice(0, mention.start))) continue
    const old = REPLACES.exec(behind)?.groups?.old
    const duty = DUTY.exec(behind)
    if (old === undefined && duty === null) continue
    // An everyday word needs the verb that goes with it: "black formats".
    const word = duty === null ? undefined : slotOfDuty(duty[0])
    const replaced = old === undefined ? undefined : findTechnologies(old)[0]
    const wanted = word ?? replaced?.technology.slots.find((slot) => mention.technology.slots.includes(slot))
    const slots = mention.technology.slots
    if (!mention.sure && (wanted === undefined || !slots.includes(wanted))) continue
    const slot = wanted !== undefined && slots.includes(wanted) ? wanted : (slots[0] ?? '')
    const area = old === undefined ? '' : areaOf(/\sfor\s.*$/i.exec(behind)?.[0] ?? '', slot, slots)
    found.push(change(clause, slot, mention.value, area, replaced?.value ?? old))
  }
  for (const match of shape.matchAll(NAME)) {
    const value = match.groups?.name ?? ''
    const old = REPLACES.exec(shape.slice(match.index + match[0].length))?.groups?.old
    if (
      old === undefined ||
      [...known, ...found].some((other) => other.replaces !== undefined || other.value === value)
    )
      continue
    const slot = findTechnologies(old)[0]?.technology.slots[0] ?? `choice:${old.toLowerCase()}`
    found.push(change(clause, slot, value, '', findTechnologies(old)[0]?.value ?? old))
  }
  return found
}

function change(clause: Clause, slot: string, value: string, area: string, old: string | undefined): Finding {
  const isChange = old !== undefined
  return asFinding(
    clause,
    { slot, value, area, start: 0, end: 0, isChange, ...(isChange && { replaces: old }) },
    isChange,
  )
}

/** "lints" → the linter, "handles the queue" → the queue. */
function slotOfDuty(duty: string): string | undefined {
  const words = duty.toLowerCase().match(/[\p{L}-]+/gu) ?? []
  for (const word of [...words].reverse()) {
    const slot =
      slotOfWord(word) ?? slotOfWord(word.replace(/s$/, 'ing')) ?? slotOfWord(word.replace(/s$/, 'er'))
    if (slot !== undefined) return slot
  }
  return undefined
}
