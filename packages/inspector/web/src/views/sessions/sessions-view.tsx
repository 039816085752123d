import { Badge, Progress, Stack, Text, TextInput } from '@mantine/core'
import { memo, useMemo, useState } from 'react'
import type { ViewSummary } from '../../../../src/view/session-view.ts'
import { type PageSource, useStore } from '../../data/page-source.ts'
import { formatAmount, formatShort, formatTime } from '../../format.ts'
import { formatRoute, type Route } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import { TokenForm } from '../../shell/token-form.tsx'
import { SearchIcon } from '../../ui/buttons.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Command } from '../engine-offer.tsx'
import classes from './sessions.module.css'

interface SessionsViewProps {
  readonly source: PageSource
  readonly go: (to: Route) => void
  readonly onToken: (token: string) => void
}

const FIRST_QUESTION = `curl ${location.origin}/query -H 'content-type: application/json' -d '{"query": "hello"}'`

const FILTER_FROM = 6

export function SessionsView({ source, go, onToken }: SessionsViewProps) {
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
      <h1 className={classes.heading}>{formatAmount(loaded.value.length, 'session')}</h1>
      {loaded.value.length >= FILTER_FROM && (
        <TextInput
          type="search"
          aria-label="Filter by title, engine or model"
          placeholder="Filter by title, engine or model"
          leftSection={<SearchIcon />}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <ul className={`panel ${classes.list}`}>
        {found.map((session) => (
          <SessionLine key={session.id} session={session} go={go} />
        ))}
      </ul>
      {found.length === 0 && <Text c="dimmed">No session has “{filter}” in its title, engine or model.</Text>}
    </Stack>
  )
}

function matches({ title, engine, model, source, recording }: ViewSummary, filter: string): boolean {
  const about = recording ? [recording.agent, recording.folder] : [engine, model, source]
  const text = [title, ...about].join(' ').toLowerCase()
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

interface SessionLineProps {
  readonly session: ViewSummary
  readonly go: (to: Route) => void
}

const SessionLine = memo(function SessionLine({ session, go }: SessionLineProps) {
  const { id, title, engine, model, source, isLive, startedAt, requests, compactions, tokens, window } =
    session
  const { recording, isStored, messages } = session
  const about = recording ? [recording.agent, recording.folder] : [engine, model, source]
  const to: Route = { session: id, page: 'timeline' }
  return (
    <li>
      <a
        className={classes.line}
        href={`#${formatRoute(to)}`}
        data-testid="session"
        data-id={id}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          go(to)
        }}
      >
        <span className={classes.name}>
          <span className={classes.title}>
            <PlainText text={title} />
          </span>
          {isLive && (
            <Badge variant="dot" color="teal" size="xs">
              Live
            </Badge>
          )}
        </span>
        <span className={classes.quiet}>
          <PlainText
            text={[...about, startedAt === null ? null : formatTime(startedAt)]
              .filter((part) => part !== null)
              .join(' · ')}
          />
        </span>
        <span className={classes.numbers}>
          {recording && <span>{formatShort(recording.bytes)} bytes</span>}
          {isStored && <span>{formatAmount(messages, 'message')}</span>}
          {!recording && !isStored && <span>{formatAmount(requests, 'request')}</span>}
          {isStored ? <span>stored</span> : <span>{formatAmount(compactions, 'compaction')}</span>}
          {!recording && !isStored && (
            <>
              <span>
                {formatShort(tokens)} of {formatShort(window)} tokens
              </span>
              <Progress
                className={classes.meter}
                size={4}
                value={(100 * tokens) / Math.max(window, 1)}
                aria-label="The last prompt in the window"
              />
            </>
          )}
        </span>
      </a>
    </li>
  )
})
