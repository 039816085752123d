import { useMemo, useState } from 'react'
import type { ViewMessage } from '../../../src/view/session-view.ts'
import { TextBlock } from './text-block.tsx'
import classes from './ui.module.css'

/** One call of a tool. */
export type ViewCall = NonNullable<ViewMessage['calls']>[number]

/** A call of a tool: its arguments set out for reading, or on demand as the model wrote them. */
export function ToolCall({ call, pattern }: { readonly call: ViewCall; readonly pattern: RegExp | null }) {
  const [isRaw, setIsRaw] = useState(false)
  const pretty = useMemo(() => prettyArguments(call.arguments), [call.arguments])
  const isPretty = pretty !== null && !isRaw
  return (
    <div className={classes.call}>
      <div className={classes.callHead}>
        <span className={classes.callName}>{call.name}</span>
        <span className={classes.quiet}>{call.id}</span>
        {pretty !== null && pretty !== call.arguments && (
          <button
            type="button"
            className={classes.more}
            aria-pressed={isRaw}
            onClick={() => setIsRaw((was) => !was)}
          >
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
