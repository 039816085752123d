import { ActionIcon, Tabs, Tooltip, UnstyledButton } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import type { ViewSummary } from '../../../src/view/session-view.ts'
import type { PageSource } from '../data/page-source.ts'
import { useStore } from '../data/store.ts'
import { PAGES } from '../route/parse-route.ts'
import type { PageName, Route } from '../view-props.ts'
import { ConnectionBadge } from './connection-badge.tsx'
import { SchemeToggle } from './scheme-toggle.tsx'
import classes from './shell.module.css'

export interface HeaderProps {
  readonly source: PageSource
  readonly route: Route
  readonly go: (to: Route) => void
  /** Whether there is a list of sessions to go back to. */
  readonly hasList: boolean
  readonly onHelp: () => void
}

const NAMES: Readonly<Record<PageName, string>> = {
  timeline: 'Timeline',
  context: 'Context',
  transcript: 'Transcript',
  summaries: 'Summaries',
  decisions: 'Decisions',
  compare: 'Compare',
}

/** Which session this is, who manages and answers it, and the way to its pages. */
export function Header({ source, route, go, hasList, onHelp }: HeaderProps) {
  const sessions = useStore(source.sessions)
  const { session, page: current } = route
  const known =
    sessions.status === 'ready' ? sessions.value.find((summary) => summary.id === session) : undefined
  useDocumentTitle(known ? `${known.title} · Palimpsest` : 'Palimpsest')
  const tabs = useRef<HTMLDivElement>(null)
  // On a narrow page the tabs scroll: the one that is shown is in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: again for every page
  useEffect(() => {
    tabs.current?.querySelector('[data-active]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [current])
  return (
    <>
      <div className={classes.bar}>
        <UnstyledButton
          className={classes.brand}
          disabled={!hasList}
          onClick={() => go({ page: 'timeline' })}
          aria-label={hasList ? 'Palimpsest: all sessions' : 'Palimpsest'}
        >
          Palimpsest
        </UnstyledButton>
        {known && <SessionFacts summary={known} />}
        <span className={classes.space} />
        <ConnectionBadge source={source} session={session} />
        <SchemeToggle />
        <Tooltip label="Keys (?)">
          <ActionIcon variant="subtle" color="gray" onClick={onHelp} aria-label="Show the keys">
            ?
          </ActionIcon>
        </Tooltip>
      </div>
      {session !== undefined && (
        <Tabs
          ref={tabs}
          value={current}
          onChange={(value) => {
            const page = PAGES.find((name) => name === value)
            if (page)
              go({ session, page, ...(route.request === undefined ? {} : { request: route.request }) })
          }}
          classNames={{ root: classes.tabs, list: classes.tabList, tab: classes.tab }}
          activateTabWithKeyboard={false}
        >
          <Tabs.List aria-label="Pages of this session">
            {PAGES.map((page, place) => (
              <Tabs.Tab key={page} value={page} aria-keyshortcuts={String(place + 1)} aria-controls="main">
                {NAMES[page]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      )}
    </>
  )
}

function SessionFacts({ summary }: { readonly summary: ViewSummary }) {
  return (
    <>
      <h1 className={classes.title} title={summary.title}>
        {summary.title}
      </h1>
      <span className={classes.fact} data-testid="engine">
        {summary.engine}
      </span>
      {summary.model !== null && <span className={classes.fact}>{summary.model}</span>}
    </>
  )
}
