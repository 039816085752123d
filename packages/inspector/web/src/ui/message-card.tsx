import { type CSSProperties, memo, type ReactNode, useEffect, useRef } from 'react'
import type { ViewMessage } from '../../../src/view/session-view.ts'
import { formatAmount, formatDuration, formatTime } from '../format.ts'
import { CopyText, TextButton } from './buttons.tsx'
import { messageColor } from './colors.ts'
import { PlainText } from './plain-text.tsx'
import { TextBlock } from './text-block.tsx'
import { foldedLines } from './text-pieces.ts'
import { ToolCall } from './tool-call.tsx'
import classes from './ui.module.css'
import { isFound } from './use-message-search.ts'
import { useKept } from './virtual-list.tsx'

interface MessageCardProps {
  readonly message: ViewMessage
  readonly index: number
  readonly highlight?: boolean
  readonly pattern?: RegExp | null
  readonly onPlace?: ((seq: number) => void) | undefined
  readonly took?: number | undefined
  readonly calls?: ViewMessage['calls']
  readonly resultOf?: (id: string) => ReactNode
  readonly children?: ReactNode
}

export const MessageCard = memo(function MessageCard(props: MessageCardProps) {
  const { message, index, highlight = false, pattern = null, children } = props
  const { onPlace, took, calls = message.calls, resultOf } = props
  const color = { '--card-color': messageColor(message) } as CSSProperties
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!highlight) return
    const frame = requestAnimationFrame(() => {
      const marks = pattern === null ? [] : (card.current?.querySelectorAll('mark') ?? [])
      const own = [...marks].find((mark) => mark.closest('article') === card.current)
      const place = own ?? card.current
      place?.scrollIntoView({ block: 'nearest' })
    })
    return () => cancelAnimationFrame(frame)
  }, [highlight, pattern])
  const hasText = message.text !== '' || (message.calls === undefined && message.attachments === undefined)
  return (
    <article
      ref={card}
      className={classes.card}
      style={color}
      data-message={index}
      data-seq={message.seq ?? undefined}
      data-highlight={highlight || undefined}
      aria-label={`${nameOf(message)}${message.seq === null ? '' : `, message ${message.seq + 1}`}`}
    >
      <header className={classes.cardHead}>
        <span className={classes.role}>{nameOf(message)}</span>
        <Place message={message} onPlace={onPlace} />
        <span className="quiet">{formatAmount(message.tokens, 'token')}</span>
        {message.at !== undefined && (
          <time className="quiet" dateTime={new Date(message.at).toISOString()}>
            {formatTime(message.at)}
          </time>
        )}
        {took !== undefined && (
          <span className="quiet">
            {formatDuration(took)}
            {message.role === 'user' && ' later'}
          </span>
        )}
        {message.isError && <span className={classes.failed}>failed</span>}
        {message.callId !== undefined && (
          <span className="quiet">
            answers <PlainText text={message.callId} />
          </span>
        )}
        {children}
        <CopyText text={message.text} />
      </header>
      {message.reasoning !== undefined && <Reasoning text={message.reasoning} pattern={pattern} />}
      {hasText && <TextBlock text={message.text} pattern={pattern} asMarkdown={message.role !== 'tool'} />}
      {calls?.map((call) => (
        <ToolCall key={call.id} call={call} pattern={pattern}>
          {resultOf?.(call.id)}
        </ToolCall>
      ))}
      {message.attachments
        ?.filter((attachment) => attachment !== 'reasoning' || message.reasoning === undefined)
        .map((attachment, place) => (
          <span key={place} className={classes.attachment}>
            <PlainText text={attachment} />
          </span>
        ))}
    </article>
  )
})

function nameOf(message: Pick<ViewMessage, 'role' | 'kind' | 'isInserted'>): string {
  if (message.kind === 'summary') return 'summary'
  if (message.kind === 'decisions') return 'decisions'
  const role = message.isInserted ? 'host, as user' : message.role
  return message.kind === 'shortened' ? `${role}, shortened` : role
}

type PlaceProps = Pick<MessageCardProps, 'message' | 'onPlace'>

function Place({ message, onPlace }: PlaceProps) {
  const { seq } = message
  if (seq === null || onPlace === undefined) return <span className="quiet">{placeOf(message)}</span>
  return <TextButton onClick={() => onPlace(seq)}>{placeOf(message)}</TextButton>
}

function Reasoning({ text, pattern }: { readonly text: string; readonly pattern: RegExp | null }) {
  const [isOpen, setOpen] = useKept(`reasoning ${text}`, false)
  return (
    <div className={classes.reasoning} data-testid="reasoning">
      <TextButton className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Reasoning, {formatAmount(text.length, 'character')}
      </TextButton>
      {(isOpen || isFound(text, pattern)) && <TextBlock text={text} pattern={pattern} asMarkdown />}
    </div>
  )
}

function placeOf(message: ViewMessage): string {
  if (message.seq !== null) return `#${message.seq + 1}`
  return message.kind === 'system' ? 'with a note of the engine' : 'written by the engine'
}

const HEAD = 54
const LINE = 19
const CALL = 40
const CHARACTERS_PER_TOKEN = 3

/**
 * Estimated height of a folded card in pixels, which the list corrects once it is visible. It depends only on the size,
 * so that no text has to be read.
 */
export function estimateHeight(message: ViewMessage | undefined): number {
  const { tokens = 0, calls = [] } = message ?? {}
  const columns = window.innerWidth < 700 ? 40 : 100
  const lines = Math.min(foldedLines, Math.ceil((tokens * CHARACTERS_PER_TOKEN) / columns))
  return HEAD + LINE * lines + CALL * calls.length
}
