import { Badge, Stack, Text, TextInput, Title } from '@mantine/core'
import { memo, useMemo, useState } from 'react'
import type { ViewSummary } from '../../../../src/view/session-view.ts'
import { type PageSource, useStore } from '../../data/page-source.ts'
import { formatAmount, formatShort, formatTime } from '../../format.ts'
import { formatRoute } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import { TokenForm } from '../../shell/token-form.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Command } from '../engine-offer.tsx'
import classes from './sessions.module.css'

interface SessionsViewProps {
  readonly source: PageSource
  readonly onToken: (token: string) => void
}

const FIRST_QUESTION = `curl ${location.origin}/query -H 'content-type: application/json' -d '{"query": "hello"}'`

export function SessionsView({ source, onToken }: SessionsViewProps) {
  const loaded = useStore(source.sessions)
  const [filter, setFilter] = useState('')
  const sessions = loaded.status === 'ready' ? loaded.value : undefined
  const found = useMemo(
    () => (sessions ?? []).filter((session) => matches(session, filter)),
    [sessions, filter],
  )
  if (loaded.status === 'loading') return null
  if (loaded.status === 'locked') return <TokenForm onToken={onToken} />
  if (loaded.status === 'failed')
    return <Notice title="There is nothing to show yet" message={loaded.message} />
  if (loaded.value.length === 0)
    return (
      <Notice
        title="No sessions yet"
        message={
          source.isLive
            ? 'Conversations that go through this service appear here by themselves: point a client at it, or ask it something.'
            : 'This file holds no session.'
        }
      >
        {source.isLive && <Command text={FIRST_QUESTION} />}
      </Notice>
    )
  return (
    <Stack gap="sm" p="md" maw={1100} mx="auto">
      <Title order={1} size="h4">
        {formatAmount(loaded.value.length, 'session')}
      </Title>
      <TextInput
        type="search"
        aria-label="Filter by title, engine or model"
        placeholder="Filter by title, engine or model"
        value={filter}
        onChange={(event) => setFilter(event.currentTarget.value)}
      />
      <ul className={`panel ${classes.list}`}>
        {found.map((session) => (
          <SessionLine key={session.id} session={session} />
        ))}
      </ul>
      {found.length === 0 && <Text c="dimmed">No session has “{filter}” in its title, engine or model.</Text>}
    </Stack>
  )
}

/** Little is known of a recording that was not read yet, and a stored session has no requests. */
const aboutOf = ({ recording, engine, model, source }: ViewSummary): readonly (string | null)[] =>
  recording ? [recording.agent, recording.folder] : [engine, model, source]

function numbersOf(session: ViewSummary): readonly string[] {
  const { recording, isStored, messages, requests, compactions, tokens, window } = session
  if (isStored) return [formatAmount(messages, 'message'), 'stored']
  const compacted = formatAmount(compactions, 'compaction')
  if (recording) return [`${formatShort(recording.bytes)} bytes`, compacted]
  const size = `${formatShort(tokens)} of ${formatShort(window)} tokens`
  return [formatAmount(requests, 'request'), compacted, size]
}

function matches(session: ViewSummary, filter: string): boolean {
  const text = [session.title, ...aboutOf(session)].join(' ').toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const SessionLine = memo(function SessionLine({ session }: { readonly session: ViewSummary }) {
  const { id, title, isLive, startedAt } = session
  const facts = [...aboutOf(session), startedAt === null ? null : formatTime(startedAt)]
  return (
    <li>
      <a
        className={classes.line}
        href={`#${formatRoute({ session: id, page: 'timeline' })}`}
        data-testid="session"
        data-id={id}
      >
        <span className={classes.title}>
          <PlainText text={title} />{' '}
          {isLive && (
            <Badge variant="dot" color="teal" size="xs">
              Live
            </Badge>
          )}
        </span>
        <span className="quiet">
          <PlainText text={facts.filter((fact) => fact !== null).join(' · ')} />
        </span>
        <span className="quiet">{numbersOf(session).join(' · ')}</span>
      </a>
    </li>
  )
})
