import { type ReactNode, useMemo } from 'react'
import type { ViewMessage } from '../../../src/view/session-view.ts'
import {
  type CallChange,
  type CallFields,
  changeOf,
  fieldsOf,
  fieldText,
  isPatch,
} from '../data/call-change.ts'
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
  return (
    <div className={classes.call} data-call={call.name}>
      <div className={classes.callHead}>
        <span className={classes.callName}>
          <PlainText text={call.name} />
        </span>
        <span className="quiet">
          <PlainText text={call.id} />
        </span>
        {fields !== null && (
          <TextButton className={classes.more} aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            {isRaw ? 'Set out' : 'Raw'}
          </TextButton>
        )}
      </div>
      {fields !== null && !isRaw ? (
        <Arguments name={call.name} fields={fields} pattern={pattern} />
      ) : (
        <TextBlock text={call.arguments} pattern={pattern} />
      )}
      {children}
    </div>
  )
}

interface Searched {
  readonly pattern: RegExp | null
}

interface ArgumentsProps extends Searched {
  readonly name: string
  readonly fields: CallFields
}

function Arguments({ name, fields, pattern }: ArgumentsProps) {
  const change = useMemo(() => changeOf(name, fields), [name, fields])
  if (change !== null) return <Change change={change} pattern={pattern} />
  return (
    <dl className={classes.fields}>
      {Object.entries(fields).map(([key, value]) => (
        <Field key={key} name={key} value={value} pattern={pattern} />
      ))}
    </dl>
  )
}

function Change({ change: { path, pieces }, pattern }: Searched & { readonly change: CallChange }) {
  return (
    <>
      {path !== null && <PlainText text={path} pattern={pattern} />}
      {pieces.map(({ before, after }, place) =>
        before === null ? (
          <div key={place} className={classes.added} data-testid="written">
            <TextBlock text={after} pattern={pattern} />
          </div>
        ) : (
          <Edit key={place} before={before} after={after} pattern={pattern} />
        ),
      )}
    </>
  )
}

const FOLDED = 6_000

interface EditProps extends Searched {
  readonly before: string
  readonly after: string
}

function Edit({ before, after, pattern }: EditProps) {
  const size = before.length + after.length
  const [isOpen, setOpen] = useKept(`edit ${before}\u0000${after}`, false)
  if (size <= FOLDED || isOpen || isFound(before, pattern) || isFound(after, pattern))
    return <VersionDiff before={before} after={after} pattern={pattern} />
  return (
    <TextButton className={classes.more} onClick={() => setOpen(true)}>
      Show what changed in {formatAmount(size, 'character')}
    </TextButton>
  )
}

interface FieldProps extends Searched {
  readonly name: string
  readonly value: unknown
}

function Field({ name, value, pattern }: FieldProps) {
  const text = fieldText(value)
  return (
    <>
      <dt>
        <PlainText text={name} pattern={pattern} />
      </dt>
      <dd>
        {isPatch(text) ? (
          <Patch text={text} pattern={pattern} />
        ) : (
          <TextBlock text={text} pattern={pattern} />
        )}
      </dd>
    </>
  )
}

const LINES = 200

function Patch({ text, pattern }: Searched & { readonly text: string }) {
  const all = useMemo(() => text.split('\n'), [text])
  const isWhole = all.slice(LINES).some((line) => isFound(line, pattern))
  const lines = isWhole ? all : all.slice(0, LINES)
  return (
    <pre className={classes.diff} data-testid="patch">
      {lines.map((line, place) => {
        const type = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
        return <DiffLines key={place} part={{ type, text: `${line}\n` }} pattern={pattern} />
      })}
      {lines.length < all.length && <span className={classes.leftOut}>and more: Raw shows all of it</span>}
    </pre>
  )
}
