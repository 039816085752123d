import { memo, useEffect, useRef } from 'react'
import type { SessionView, ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { contextAt } from '../../data/contexts.ts'
import { type PlacedMessage, type TranscriptRow, timeBetween } from '../../data/transcript-rows.ts'
import { formatAmount, formatDuration } from '../../format.ts'
import { CopyText, TextButton } from '../../ui/buttons.tsx'
import { MessageCard, placeOf } from '../../ui/message-card.tsx'
import { TextBlock } from '../../ui/text-block.tsx'
import ui from '../../ui/ui.module.css'
import classes from './transcript.module.css'

interface TranscriptRowProps {
  readonly row: TranscriptRow
  /** Index of the message that is looked for. */
  readonly current: number | null
  /** What is searched for. */
  readonly pattern: RegExp | null
  readonly asMarkdown: boolean
  readonly place: (index: number) => MessagePlace
  readonly onNode: (id: string) => void
  readonly onPlace: (seq: number) => void
}

export const TranscriptRowView = memo(function TranscriptRowView(props: TranscriptRowProps) {
  const { row, current, pattern, asMarkdown, place, onNode, onPlace } = props
  const { message, index, calls, results, took } = row
  const resultOf = (id: string) => {
    const result = results.get(id)
    return (
      result && (
        <Result
          result={result}
          pattern={pattern}
          isCurrent={result.index === current}
          took={timeBetween(message, result.message)}
          onPlace={onPlace}
        >
          <PlaceMark place={place(result.index)} onNode={onNode} />
        </Result>
      )
    )
  }
  return (
    <MessageCard
      message={message}
      index={index}
      highlight={index === current}
      pattern={pattern}
      asMarkdown={asMarkdown}
      took={message.role === 'assistant' ? took : undefined}
      calls={calls}
      resultOf={resultOf}
      onPlace={onPlace}
    >
      <PlaceMark place={place(index)} onNode={onNode} />
    </MessageCard>
  )
})

interface ResultProps extends Pick<TranscriptRowProps, 'onPlace'> {
  readonly result: PlacedMessage
  readonly pattern: RegExp | null
  readonly isCurrent: boolean
  readonly took: number | undefined
  readonly children: React.ReactNode
}

function Result({ result, pattern, isCurrent, took, onPlace, children }: ResultProps) {
  const { message, index } = result
  const { seq } = message
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    // The list brings its row into sight; a result may stand far below in it.
    if (!isCurrent) return
    const frame = requestAnimationFrame(() => element.current?.scrollIntoView({ block: 'nearest' }))
    return () => cancelAnimationFrame(frame)
  }, [isCurrent])
  return (
    <section
      ref={element}
      className={ui.result}
      data-message={index}
      data-seq={seq ?? undefined}
      data-error={message.isError}
      data-highlight={isCurrent || undefined}
      aria-label={`Result, message ${(seq ?? 0) + 1}`}
    >
      <div className={ui.cardHead}>
        <span className={message.isError ? ui.failed : ui.role}>{message.isError ? 'failed' : 'result'}</span>
        {seq !== null && <TextButton onClick={() => onPlace(seq)}>{placeOf(message)}</TextButton>}
        <span className="quiet">{formatAmount(message.tokens, 'token')}</span>
        {took !== undefined && <span className="quiet">{formatDuration(took)}</span>}
        {children}
        <CopyText text={message.text} />
      </div>
      <TextBlock text={message.text} pattern={pattern} />
    </section>
  )
}

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
        behind a summary
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
  /** It came after the last request. */
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
  // A system prompt that an engine wrote a note behind is another message, with the host's words at its beginning.
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
