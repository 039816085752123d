import { Tabs } from '@mantine/core'
import { PAGES } from '../route/parse-route.ts'
import type { PageName, Route } from '../view-props.ts'
import classes from './shell.module.css'

const NAMES: Readonly<Record<PageName, string>> = {
  timeline: 'Timeline',
  context: 'Context',
  transcript: 'Transcript',
  summaries: 'Summaries',
  decisions: 'Decisions',
  compare: 'Compare',
}

interface PageTabsProps {
  readonly route: Route
  readonly go: (to: Route) => void
}

/** The way to the pages of a session; the request that was chosen stays. */
export function PageTabs({ route, go }: PageTabsProps) {
  const { session, page: current, request } = route
  return (
    <Tabs
      value={current}
      onChange={(value) => {
        const page = PAGES.find((name) => name === value)
        if (page && session !== undefined)
          go({ session, page, ...(request === undefined ? {} : { request }) })
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
  )
}
