import { TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { goneFrom, type KeptLine, keptIn } from '../../data/kept.ts'
import { indexOfSeq } from '../../data/transcript-rows.ts'
import { formatAmount, formatCount } from '../../format.ts'
import type { ViewProps } from '../../route.ts'
import { TextButton } from '../../ui/buttons.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import classes from './overview.module.css'

type KeptProps = Pick<ViewProps, 'view' | 'go'>

export function Kept({ view, go }: KeptProps) {
  const kept = useMemo(() => keptIn(view), [view])
  const { said, gone } = useMemo(() => goneFrom(view), [view])
  const last = view.requests.length - 1
  const toSummary = () => go({ page: 'context', request: last })
  const toDecisions = () => go({ page: 'decisions' })
  return (
    <section className={`panel ${classes.section}`} aria-labelledby="overview-kept">
      <h2 id="overview-kept">
        {formatAmount(gone.size, 'old message')} became a record and a summary that keep decisions, rules and
        files
      </h2>
      <div className={classes.kept}>
        <Column name="Decisions" lines={kept.decisions} go={go} onAll={toDecisions} />
        <Column name="Rules" lines={kept.rules} go={go} onAll={toDecisions} />
        <Column name="Files" lines={kept.files} go={go} onAll={toSummary} />
        <Originals view={view} go={go} said={said} gone={gone} />
      </div>
    </section>
  )
}

interface ColumnProps extends Pick<ViewProps, 'go'> {
  readonly name: string
  readonly lines: readonly KeptLine[]
  readonly onAll: () => void
}

const SHOWN = 3

function Column({ name, lines, go, onAll }: ColumnProps) {
  const count = lines.reduce((sum, line) => sum + line.things, 0)
  return (
    <div data-testid={`kept-${name.toLowerCase()}`}>
      <h3>
        {name} <span className="quiet">{formatCount(count)}</span>
      </h3>
      <ul>
        {lines.slice(0, SHOWN).map(({ text, seq }, place) => (
          <li key={place} data-preview="">
            <div className="clamped">
              <Markdown text={text} />
            </div>
            {seq !== null && (
              <TextButton
                aria-label={`Message ${formatCount(seq + 1)}`}
                onClick={() => go({ page: 'transcript', message: seq })}
              >
                #{formatCount(seq + 1)}
              </TextButton>
            )}
          </li>
        ))}
      </ul>
      {lines.length > SHOWN && <TextButton onClick={onAll}>All {formatCount(count)}</TextButton>}
      {lines.length === 0 && <p className="quiet">none on record</p>}
    </div>
  )
}

const EXCERPT = 200

interface OriginalsProps extends KeptProps {
  readonly said: number
  readonly gone: ReadonlySet<number>
}

function Originals({ view, go, said, gone }: OriginalsProps) {
  const { engine, answers } = view
  const [query, setQuery] = useState('')
  const seq = answers?.questions.map((question) => question.seq).find((each) => gone.has(each))
  const example = seq === undefined ? undefined : view.messages[indexOfSeq(view.messages, seq) ?? -1]
  const hasSearch = engine.includes('lcm')
  return (
    <div data-testid="originals">
      <h3>
        Every original message <span className="quiet">{formatCount(said)}</span>
      </h3>
      <p className="quiet">
        {hasSearch
          ? 'The model searches them with lcm_grep, and reads them with lcm_expand:'
          : 'With the engine lcm, the model can search and read them; with this one, you can, here:'}
      </p>
      {seq !== undefined && example !== undefined && (
        <blockquote className={`clamped ${classes.original}`} data-preview="">
          <PlainText text={example.text.slice(0, EXCERPT)} />
        </blockquote>
      )}
      {seq !== undefined && (
        <TextButton onClick={() => go({ page: 'transcript', message: seq })}>
          message {formatCount(seq + 1)}
        </TextButton>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (query.trim() !== '') go({ page: 'transcript', query })
        }}
      >
        <TextInput
          size="xs"
          type="search"
          aria-label="Search every message"
          placeholder="Search every message"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      </form>
    </div>
  )
}
