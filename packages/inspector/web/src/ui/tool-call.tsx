import { type ReactNode, useMemo } from 'react'
import type { ViewMessage } from '../../../src/view/session-view.ts'
import { type CallChange, type CallFields, changeOf, fieldsOf, isPatch } from '../data/call-change.ts'
import { formatAmount } from '../format.ts'
import { TextButton } from './buttons.tsx'
import { PlainText } from './plain-text.tsx'
import { TextBlock } from './text-block.tsx'
import classes from './ui.module.css'
import { isFound } from './use-message-search.ts'
import { DiffLines, VersionDiff } from './version-diff.tsx'
import { useKept } from './virtual-list.tsx'

interface ToolCallProps {
  readonly call: NonNullable<ViewMessage['calls']>[number]
  readonly pattern: RegExp | null
  readonly children?: ReactNode
}

export function ToolCall({ call, pattern, children }: ToolCallProps) {
  const [isRaw, setRaw] = useKept(`raw ${call.id}`, false)
  const fields = useMemo(() => fieldsOf(call.arguments), [call.arguments])
  const hasForm = fields !== null && isWorthIt(call.arguments)
  return (
    <div className={classes.call} data-call={call.name}>
      <div className={classes.callHead}>
        <span className={classes.callName}>
          <PlainText text={call.name} />
        </span>
        <span className="quiet">
          <PlainText text={call.id} />
        </span>
        {hasForm && (
          <TextButton className={classes.more} aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            {isRaw ? 'Set out' : 'Raw'}
          </TextButton>
        )}
      </div>
      {/* The search marks its hits in the arguments as written. */}
      {hasForm && !isRaw && !isFound(call.arguments, pattern) ? (
        <Arguments name={call.name} fields={fields} />
      ) : (
        <TextBlock text={call.arguments} pattern={pattern} />
      )}
      {children}
    </div>
  )
}

/** A short line without escapes is readable as it is. */
const isWorthIt = (text: string): boolean => text.length > 100 || text.includes('\\')

function Arguments({ name, fields }: { readonly name: string; readonly fields: CallFields }) {
  const change = useMemo(() => changeOf(name, fields), [name, fields])
  if (change !== null) return <Change change={change} />
  return (
    <dl className={classes.fields}>
      {Object.entries(fields).map(([key, value]) => (
        <Field key={key} name={key} value={value} />
      ))}
    </dl>
  )
}

function Change({ change: { path, pieces } }: { readonly change: CallChange }) {
  return (
    <>
      {path !== null && <PlainText text={path} />}
      {pieces.map(({ before, after }, place) =>
        before === null ? (
          <div key={place} className={classes.added} data-testid="written">
            <TextBlock text={after} />
          </div>
        ) : (
          <Edit key={place} before={before} after={after} />
        ),
      )}
    </>
  )
}

const FOLDED = 6_000

function Edit({ before, after }: { readonly before: string; readonly after: string }) {
  const size = before.length + after.length
  const [isOpen, setOpen] = useKept(`edit ${before}\u0000${after}`, false)
  if (size <= FOLDED || isOpen) return <VersionDiff before={before} after={after} />
  return (
    <TextButton className={classes.more} onClick={() => setOpen(true)}>
      Show what changed in {formatAmount(size, 'character')}
    </TextButton>
  )
}

function Field({ name, value }: { readonly name: string; readonly value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1)
  return (
    <>
      <dt>
        <PlainText text={name} />
      </dt>
      <dd>{isPatch(text) ? <Patch text={text} /> : <TextBlock text={text} />}</dd>
    </>
  )
}

const LINES = 200

function Patch({ text }: { readonly text: string }) {
  const lines = useMemo(() => text.split('\n').slice(0, LINES), [text])
  const rest = text.split('\n', LINES + 1).length > LINES
  return (
    <pre className={classes.diff} data-testid="patch">
      {lines.map((line, place) => {
        const type = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
        return <DiffLines key={place} part={{ type, text: `${line}\n` }} />
      })}
      {rest && <span className={classes.leftOut}>and more: Raw shows all of it</span>}
    </pre>
  )
}
