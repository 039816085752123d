import { messageText } from '@palimpsest/core'
import { equalValues, type Measure } from './compare.ts'
import { type Extractor, findingsOf } from './finding.ts'
import type { LabelledConversation, LabelledMessage } from './labelled/conversation.ts'
import type { LabelKind } from './labelled/label.ts'
import { readConversation } from './read-conversation.ts'
import { type Hit, type MessageScore, scoreMessage, slotAccuracy } from './score-message.ts'

/** How often an extractor was right. `labels` and `findings` are the n of recall and of precision; a share of nothing is null. */
export type Score = ReturnType<typeof total>

interface Share {
  readonly right: number
  readonly n: number
}

/** The scores of one measure over some conversations. */
export type SetScore = ReturnType<typeof scoreSet>

/** A message of which something was missed or wrongly found. */
export type Failure = SetScore['failures'][number]

export const LABEL_KINDS: readonly LabelKind[] = ['assert', 'propose', 'accept', 'retract']

/** Runs an extractor over conversations and compares what it says with the labels. */
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
  const hits = scores.flatMap((score) => score.hits)
  return {
    measure,
    total: total(scores),
    byKind: Object.fromEntries(LABEL_KINDS.map((kind) => [kind, total(scores, kind)])) as Record<
      LabelKind,
      Score
    >,
    /** Of the hits whose label names them: the slot of the dictionary, the old value, the area. */
    slot: slotAccuracy(hits),
    replaces: share(hits, 'replaces'),
    area: share(hits, 'area'),
    /** Messages that decide nothing and of which something was found, by why they decide nothing. */
    negatives: countNegatives(scored),
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
  const isOf = (kind: LabelKind): boolean => only === undefined || kind === only
  const count = <T>(list: (score: MessageScore) => readonly T[], kindOf: (item: T) => LabelKind): number =>
    scores.reduce((sum, score) => sum + list(score).filter((item) => isOf(kindOf(item))).length, 0)
  const hits = count(
    (score) => score.hits,
    ({ label }) => label.kinds[0],
  )
  const labels =
    hits +
    count(
      (score) => score.misses,
      ({ kinds }) => kinds[0],
    )
  const findings =
    hits +
    count(
      (score) => score.alarms,
      ({ kind }) => kind,
    )
  const [precision, recall] = [ratio(hits, findings), ratio(hits, labels)]
  return { labels, findings, hits, precision, recall, f1: ratio(2 * hits, labels + findings) }
}

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

function share(hits: readonly Hit[], key: 'replaces' | 'area'): Share {
  const named = hits.filter(({ label }) => label[key] !== undefined)
  const right = named.filter(({ label, finding }) =>
    equalValues(label.slot, label[key] ?? '', finding[key] ?? ''),
  )
  return { right: right.length, n: named.length }
}

function countNegatives(
  scored: readonly { readonly labelled: LabelledMessage; readonly score: MessageScore }[],
): Record<string, Share> {
  const counts: Record<string, Share> = {}
  for (const { labelled, score } of scored) {
    if (labelled.labels.length > 0) continue
    const why = labelled.negative ?? labelled.message.role
    const { right, n } = counts[why] ?? { right: 0, n: 0 }
    counts[why] = { right: right + (score.alarms.length === 0 ? 1 : 0), n: n + 1 }
  }
  return counts
}
