import { Stack, Text, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { ViewSummary } from '../../../../src/view/session-view.ts'
import type { PageSource } from '../../data/page-source.ts'
import { useStore } from '../../data/store.ts'
import { formatAmount } from '../../format.ts'
import { Notice } from '../../shell/notice.tsx'
import { TokenForm } from '../../shell/token-form.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import type { Route } from '../../view-props.ts'
import { Command } from '../engine-offer.tsx'
import { SessionLine } from './session-line.tsx'
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
      <ul className={classes.list}>
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
