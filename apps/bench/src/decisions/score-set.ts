import { messageText } from '@palimpsest/core'
import { type Candidate, type ReadMessage, sameValue } from '@palimpsest/decisions'
import { type Label, type LabelKind, type LabelledConversation, readConversation } from './labelled-set.ts'

/** `labels` and `findings` are the n of recall and of precision; a share of nothing is null. */
export type Score = ReturnType<typeof total>

type SetScore = ReturnType<typeof scoreSet>

export type Failure = SetScore['failures'][number]

export const LABEL_KINDS: readonly LabelKind[] = ['assert', 'propose', 'accept', 'retract']

export function scoreSet(
  extract: Extractor,
  conversations: readonly LabelledConversation[],
  measure: Measure,
) {
  const scored = conversations.flatMap((conversation) => {
    const inputs = readConversation(conversation)
    return conversation.messages.flatMap((labelled, message) => {
      const input = inputs[message]
      if (input === undefined) return []
      const score = scoreMessage(labelled.labels, findingsOf(extract, input), measure)
      return [{ id: conversation.id, message, labelled, score }]
    })
  })
  const scores = scored.map(({ score }) => score)
  return {
    measure,
    total: total(scores),
    byKind: Object.fromEntries(LABEL_KINDS.map((kind) => [kind, total(scores, kind)])) as Record<
      LabelKind,
      Score
    >,
    failures: scored
      .filter(({ score }) => score.misses.length + score.alarms.length > 0)
      .map(({ id, message, labelled, score }) => ({
        id,
        message,
        role: labelled.message.role,
        text: messageText(labelled.message),
        score,
      })),
  }
}

/** Of one kind: a hit and a miss count under the first kind of their label, a false alarm under its own. */
export function total(scores: readonly MessageScore[], only?: LabelKind) {
  const count = (kinds: readonly LabelKind[]) =>
    only === undefined ? kinds.length : kinds.filter((kind) => kind === only).length
  const hits = count(scores.flatMap((score) => score.hits.map(({ label }) => label.kinds[0])))
  const labels = hits + count(scores.flatMap(({ misses }) => misses.map(({ kinds }) => kinds[0])))
  const findings = hits + count(scores.flatMap(({ alarms }) => alarms.map(({ kind }) => kind)))
  const [precision, recall] = [ratio(hits, findings), ratio(hits, labels)]
  return { labels, findings, hits, precision, recall, f1: ratio(2 * hits, labels + findings) }
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

type Hit = { readonly label: Label; readonly finding: Finding }

interface MessageScore {
  readonly hits: readonly Hit[]
  readonly misses: readonly Label[]
  readonly alarms: readonly Finding[]
}

/** Pairs one to one. Optional labels take only what no other label wants, and what they take does not count. */
export function scoreMessage(
  labels: readonly Label[],
  findings: readonly Finding[],
  measure: Measure,
): MessageScore {
  const left = new Set(findings)
  const take = (label: Label, test: (finding: Finding) => boolean): Hit[] => {
    const finding = [...left].find((candidate) => agrees(label, candidate, measure) && test(candidate))
    if (finding === undefined) return []
    left.delete(finding)
    return [{ label, finding }]
  }
  const pair = (wanted: readonly Label[]): Hit[] => {
    // A finding in the right slot first, so that a value that stands in two slots is not paired crosswise.
    const exact = wanted.flatMap((label) => take(label, (finding) => sameSlot(label, finding)))
    const found = new Set(exact.map(({ label }) => label))
    return [
      ...exact,
      ...wanted.filter((label) => !found.has(label)).flatMap((label) => take(label, () => true)),
    ]
  }
  const required = labels.filter(({ isOptional }) => isOptional !== true)
  const hits = pair(required)
  pair(labels.filter(({ isOptional }) => isOptional === true))
  const found = new Set(hits.map(({ label }) => label))
  return { hits, misses: required.filter((label) => !found.has(label)), alarms: [...left] }
}

/** `strict`: kind, slot and value are right. `value`: the value is, and it is a choice, a proposal or a retraction as labelled. */
export type Measure = 'strict' | 'value'

const DICTIONARY_SLOT = /^(?!any$|rule$|location$)[^:]+$/

/** True for a label that names a slot of the dictionary, whose slot can be right or wrong. */
const hasDictionarySlot = ({ slot }: Label): boolean => DICTIONARY_SLOT.test(slot)

function agrees(label: Label, finding: Finding, measure: Measure): boolean {
  const { kinds } = label
  const kindIsRight =
    measure === 'strict'
      ? kinds.includes(finding.kind)
      : kinds.some((kind) => choiceOr(kind) === choiceOr(finding.kind))
  return kindIsRight && sameThing(label, finding) && (measure === 'value' || sameSlot(label, finding))
}

/** Statements and acceptances are both choices. */
const choiceOr = (kind: Finding['kind']): string => (kind === 'accept' ? 'assert' : kind)

/** The slot of a dictionary must be the same; of a setting only that it is one, of a name which one. */
function sameSlot({ slot }: Label, finding: Finding): boolean {
  if (slot === 'any') return true
  const [prefix = '', name] = splitSlot(slot)
  const [foundPrefix, foundName = ''] = splitSlot(finding.slot)
  if (prefix !== foundPrefix) return false
  return prefix !== 'name' || compact(foundName) === compact(name ?? '')
}

function splitSlot(slot: string): readonly [string, string | undefined] {
  const at = slot.indexOf(':')
  return at === -1 ? [slot, undefined] : [slot.slice(0, at), slot.slice(at + 1)]
}

function sameThing(label: Label, finding: Finding): boolean {
  if (label.slot === 'rule') return plain(finding.quote).includes(plain(label.value))
  if (label.value === '') return sameSlot(label, finding)
  return valuesAgree(hasDictionarySlot(label) ? label.slot : finding.slot, label.value, finding.value)
}

/** The same value in other words: an alias, other punctuation, or one word more on either side ("20", "20 connections"). */
function valuesAgree(slot: string, a: string, b: string): boolean {
  if (sameValue(slot, a, b) || compact(a) === compact(b)) return true
  const [short = [], long = []] = [words(a), words(b)].sort((x, y) => x.length - y.length)
  if (short.length === 0 || long.length !== short.length + 1) return false
  return [0, 1].some((from) => short.every((word, index) => word === long[from + index]))
}

const plain = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ')
const words = (text: string): string[] => plain(text).match(/[\p{L}\p{N}.,+#/_:-]*[\p{L}\p{N}+#*]/gu) ?? []
/** Letters, digits and the signs that tell C, C++ and C# apart. */
const compact = (text: string): string => plain(text).replace(/[^\p{L}\p{N}+#*]/gu, '')

export interface Finding {
  readonly kind: LabelKind
  readonly slot: string
  readonly value: string
  readonly area: string
  readonly replaces?: string
  readonly quote: string
}

export type Extractor = (input: ReadMessage) => readonly Candidate[]

/** An acceptance of several choices is one finding each, the same said twice is one. */
function findingsOf(extract: Extractor, input: ReadMessage): Finding[] {
  const text = messageText(input.message)
  const findings = new Map<string, Finding>()
  for (const candidate of extract(input)) {
    const quote = text.slice(candidate.span.start, candidate.span.end)
    for (const finding of readCandidate(candidate, quote)) {
      const { kind, slot, area, value } = finding
      const key = JSON.stringify([kind, slot, area, value.toLowerCase()])
      if (!findings.has(key)) findings.set(key, finding)
    }
  }
  return [...findings.values()]
}

function readCandidate(candidate: Candidate, quote: string): Finding[] {
  if (candidate.kind === 'retract') {
    const { kind, slot, area, value } = candidate
    return [{ kind, slot, area, value, quote }]
  }
  if (candidate.kind === 'remark' || candidate.kind === 'amend') return []
  const { kind } = candidate
  const choices = kind === 'accept' ? candidate.choices : [candidate.choice]
  const replaces = kind === 'accept' ? undefined : candidate.replaces
  return choices.map(({ slot, area, choice: value }) => ({
    kind,
    slot,
    area,
    value,
    quote,
    ...(replaces !== undefined && { replaces }),
  }))
}
