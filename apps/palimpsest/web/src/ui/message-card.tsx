import { type CSSProperties, memo, type ReactNode, useMemo } from 'react'
import type { ViewMessage } from '../../../src/view/session-view.ts'
import { CopyText } from './copy-text.tsx'
import { formatTime } from './format-time.ts'
import { cssColor, messageColor } from './kind-colors.ts'
import { searchPattern } from './search-pattern.ts'
import { TextBlock } from './text-block.tsx'
import { TokenCount } from './token-count.tsx'
import { ToolCall } from './tool-call.tsx'
import classes from './ui.module.css'

export interface MessageCardProps {
  readonly message: ViewMessage
  /** Index in the view's `messages`. */
  readonly index: number
  /** Whether it is the one that a link led to. */
  readonly highlight?: boolean
  /** What is marked in its text. */
  readonly query?: string
  readonly wholeWords?: boolean
  /** Where it stands, when that is not its place in the transcript. */
  readonly label?: string
  /** What a view has to say about it; stands in the head line. */
  readonly children?: ReactNode
}

/** A message: who, what, where, how large, and its text byte for byte. */
export const MessageCard = memo(function MessageCard(props: MessageCardProps) {
  const { message, index, highlight = false, query = '', wholeWords = false, label, children } = props
  const pattern = useMemo(() => searchPattern({ query, wholeWords }), [query, wholeWords])
  const color = { '--card-color': cssColor(messageColor(message)) } as CSSProperties
  const hasText = message.text !== '' || (message.calls === undefined && message.attachments === undefined)
  return (
    <article
      className={classes.card}
      style={color}
      data-message={index}
      data-seq={message.seq ?? undefined}
      data-highlight={highlight || undefined}
      aria-label={`${nameOf(message)}${message.seq === null ? '' : `, message ${message.seq + 1}`}`}
    >
      <header className={classes.cardHead}>
        <span className={classes.role}>{nameOf(message)}</span>
        <span className={classes.quiet}>{label ?? placeOf(message)}</span>
        <TokenCount tokens={message.tokens} />
        {message.at !== undefined && (
          <time className={classes.quiet} dateTime={new Date(message.at).toISOString()}>
            {formatTime(message.at)}
          </time>
        )}
        {message.callId !== undefined && <span className={classes.quiet}>answers {message.callId}</span>}
        {children}
        <span className={classes.grow} />
        <CopyText text={message.text} />
      </header>
      {hasText && <TextBlock text={message.text} pattern={pattern} />}
      {message.calls?.map((call) => (
        <ToolCall key={call.id} call={call} pattern={pattern} />
      ))}
      {message.attachments?.map((attachment, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no other name, and never move
        <span key={place} className={classes.attachment}>
          {attachment}
        </span>
      ))}
    </article>
  )
})

/** Who or what a message is, for people. */
export function nameOf(message: Pick<ViewMessage, 'role' | 'kind'>): string {
  if (message.kind === 'summary') return 'summary'
  if (message.kind === 'decisions') return 'decisions'
  return message.kind === 'shortened' ? `${message.role}, shortened` : message.role
}

function placeOf(message: ViewMessage): string {
  return message.seq === null ? 'written by the engine' : `#${message.seq + 1}`
}
