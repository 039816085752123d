import { useMemo } from 'react'
import type { ViewMessage } from '../../../src/view/session-view.ts'
import { useKeptOpen } from './kept-state.ts'
import { PlainText } from './plain-text.tsx'
import { TextBlock } from './text-block.tsx'
import classes from './ui.module.css'

/** One call of a tool. */
type ViewCall = NonNullable<ViewMessage['calls']>[number]

/** A call of a tool: its arguments set out for reading, or on demand as the model wrote them. */
export function ToolCall({ call, pattern }: { readonly call: ViewCall; readonly pattern: RegExp | null }) {
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
          <button type="button" className={classes.more} aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            {isRaw ? 'Set out' : 'Raw'}
          </button>
        )}
      </div>
      <TextBlock text={isPretty ? pretty : call.arguments} pattern={pattern} />
    </div>
  )
}

/** Arguments up to so many characters are read on one line more easily than set out. */
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
