import { type CSSProperties, memo, type ReactNode, useMemo } from 'react'
import type { ViewMessage } from '../../../src/view/session-view.ts'
import { formatAmount, formatTime } from '../format.ts'
import { CopyText } from './copy-text.tsx'
import { useKeptOpen } from './kept-state.ts'
import { cssColor, messageColor } from './kind-colors.ts'
import { PlainText } from './plain-text.tsx'
import { searchPattern } from './search-pattern.ts'
import { TextBlock } from './text-block.tsx'
import { TextButton } from './text-button.tsx'
import classes from './ui.module.css'

interface MessageCardProps {
  readonly message: ViewMessage
  readonly index: number
  readonly highlight?: boolean
  readonly query?: string
  readonly wholeWords?: boolean
  readonly children?: ReactNode
}

export const MessageCard = memo(function MessageCard(props: MessageCardProps) {
  const { message, index, highlight = false, query = '', wholeWords = false, children } = props
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
        <span className={classes.quiet}>{placeOf(message)}</span>
        <span className={classes.count}>{formatAmount(message.tokens, 'token')}</span>
        {message.at !== undefined && (
          <time className={classes.quiet} dateTime={new Date(message.at).toISOString()}>
            {formatTime(message.at)}
          </time>
        )}
        {message.callId !== undefined && (
          <span className={classes.quiet}>
            answers <PlainText text={message.callId} />
          </span>
        )}
        {children}
        <CopyText text={message.text} />
      </header>
      {hasText && <TextBlock text={message.text} pattern={pattern} />}
      {message.calls?.map((call) => (
        <ToolCall key={call.id} call={call} pattern={pattern} />
      ))}
      {message.attachments?.map((attachment, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attachments have no other name, and never move
        <span key={place} className={classes.attachment}>
          <PlainText text={attachment} />
        </span>
      ))}
    </article>
  )
})

function nameOf(message: Pick<ViewMessage, 'role' | 'kind'>): string {
  if (message.kind === 'summary') return 'summary'
  if (message.kind === 'decisions') return 'decisions'
  return message.kind === 'shortened' ? `${message.role}, shortened` : message.role
}

function placeOf(message: ViewMessage): string {
  if (message.seq !== null) return `#${message.seq + 1}`
  return message.kind === 'system' ? 'with a note of the engine' : 'written by the engine'
}

type ViewCall = NonNullable<ViewMessage['calls']>[number]

function ToolCall({ call, pattern }: { readonly call: ViewCall; readonly pattern: RegExp | null }) {
  const [isRaw, setRaw] = useKeptOpen(`raw ${call.id}`)
  const pretty = useMemo(() => prettyArguments(call.arguments), [call.arguments])
  const isPretty = pretty !== null && !isRaw
  return (
    <div className={classes.call}>
      <div className={classes.callHead}>
        <span className={classes.callName}>
          <PlainText text={call.name} />
        </span>
        <span className={classes.quiet}>
          <PlainText text={call.id} />
        </span>
        {pretty !== null && pretty !== call.arguments && (
          <TextButton className={classes.more} aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            {isRaw ? 'Set out' : 'Raw'}
          </TextButton>
        )}
      </div>
      <TextBlock text={isPretty ? pretty : call.arguments} pattern={pattern} />
    </div>
  )
}

const oneLine = 100

/** Null for what is no JSON, too short or too long to be worth it. */
function prettyArguments(text: string): string | null {
  if (text.length <= oneLine || text.length > 200_000) return null
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return null
  }
}
