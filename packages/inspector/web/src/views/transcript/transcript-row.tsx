import { memo } from 'react'
import type { SessionView, ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { contextAt } from '../../data/contexts.ts'
import { PAUSE, type TranscriptRow, timeBetween } from '../../data/transcript-rows.ts'
import { MessageCard } from '../../ui/message-card.tsx'
import classes from './transcript.module.css'

interface TranscriptRowProps {
  readonly row: TranscriptRow
  readonly current: number | null
  readonly pattern: RegExp | null
  readonly place: (index: number) => MessagePlace
  readonly onNode: (id: string) => void
  readonly onPlace: (seq: number) => void
}

export const TranscriptRowView = memo(function TranscriptRowView(props: TranscriptRowProps) {
  const { row, current, pattern, place, onNode, onPlace } = props
  const { message, index, calls, results, took } = row
  const resultOf = (id: string) => {
    const result = results.get(id)
    return (
      result && (
        <MessageCard
          message={result.message}
          index={result.index}
          highlight={result.index === current}
          pattern={pattern}
          took={timeBetween(message, result.message)}
          onPlace={onPlace}
        >
          <PlaceMark place={place(result.index)} onNode={onNode} />
        </MessageCard>
      )
    )
  }
  return (
    <MessageCard
      message={message}
      index={index}
      highlight={index === current}
      pattern={pattern}
      took={message.role === 'assistant' || (took ?? 0) >= PAUSE ? took : undefined}
      calls={calls}
      resultOf={resultOf}
      onPlace={onPlace}
    >
      <PlaceMark place={place(index)} onNode={onNode} />
    </MessageCard>
  )
})

const words: Readonly<Record<Exclude<MessagePlace['kind'], 'summarised'>, string>> = {
  shown: 'in the context',
  'in-part': 'in the context in part',
  new: 'since the last request',
  absent: 'not in the context',
}

interface PlaceMarkProps {
  readonly place: MessagePlace
  readonly onNode: (id: string) => void
}

function PlaceMark({ place, onNode }: PlaceMarkProps) {
  if (place.kind === 'summarised') {
    const { id } = place.node
    return (
      <button type="button" className={classes.place} data-place="summarised" onClick={() => onNode(id)}>
        in a summary
      </button>
    )
  }
  return (
    <span className={classes.place} data-place={place.kind}>
      {words[place.kind]}
    </span>
  )
}

type MessagePlace =
  | { readonly kind: 'shown' }
  | { readonly kind: 'in-part' }
  | { readonly kind: 'summarised'; readonly node: ViewSummaryNode }
  | { readonly kind: 'new' }
  | { readonly kind: 'absent' }

export function createMessagePlace(view: SessionView): (index: number) => MessagePlace {
  const last = view.requests.length - 1
  const shown = new Set(contextAt(view.requests, last))
  const seqs = new Map<number, MessagePlace>()
  for (const index of shown) {
    const message = view.messages[index]
    if (message === undefined || message.seq === null) continue
    seqs.set(message.seq, message.kind === 'shortened' ? { kind: 'in-part' } : { kind: 'shown' })
  }
  // A system prompt with an engine's note is another message that starts with the host's words.
  const prompts = [...shown].flatMap((index) => {
    const message = view.messages[index]
    return message?.kind === 'system' ? [message.text] : []
  })
  const frontier = view.summaryNodes.filter((node) => node.isShown && !node.isReplaced)
  const known = view.requests[last]?.transcript ?? 0
  return (index) => {
    if (shown.has(index)) return { kind: 'shown' }
    const message = view.messages[index]
    if (message === undefined || message.seq === null) return { kind: 'absent' }
    const { seq, text } = message
    if (message.kind === 'system' && prompts.some((prompt) => prompt.startsWith(text)))
      return { kind: 'shown' }
    const place = seqs.get(seq)
    if (place !== undefined) return place
    if (seq >= known) return { kind: 'new' }
    const node = frontier.find(({ first, last: end }) => first <= seq && seq <= end)
    return node === undefined ? { kind: 'absent' } : { kind: 'summarised', node }
  }
}
