import { messageText } from '@palimpsest/core'
import { agrees, type Measure, sameSlot } from './compare.ts'
import { type Extractor, type Finding, findingsOf } from './finding.ts'
import { type Label, type LabelKind, type LabelledConversation, readConversation } from './labelled-set.ts'

/** `labels` and `findings` are the n of recall and of precision; a share of nothing is null. */
export type Score = ReturnType<typeof total>

export type SetScore = ReturnType<typeof scoreSet>

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
function total(scores: readonly MessageScore[], only?: LabelKind) {
  const count = (kinds: readonly LabelKind[]) =>
    only === undefined ? kinds.length : kinds.filter((kind) => kind === only).length
  const hits = count(scores.flatMap((score) => score.hits.map(({ label }) => label.kinds[0])))
  const labels = hits + count(scores.flatMap(({ misses }) => misses.map(({ kinds }) => kinds[0])))
  const findings = hits + count(scores.flatMap(({ alarms }) => alarms.map(({ kind }) => kind)))
  const [precision, recall] = [ratio(hits, findings), ratio(hits, labels)]
  return { labels, findings, hits, precision, recall, f1: ratio(2 * hits, labels + findings) }
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

interface Hit {
  readonly label: Label
  readonly finding: Finding
}

interface MessageScore {
  readonly hits: readonly Hit[]
  readonly misses: readonly Label[]
  readonly alarms: readonly Finding[]
}

/** Pairs one to one. Optional labels take only what no other label wants, and what they take does not count. */
function scoreMessage(
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
