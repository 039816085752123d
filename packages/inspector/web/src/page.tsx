import { AppShell } from '@mantine/core'
import { useCallback, useState } from 'react'
import type { PageSource } from './data/page-source.ts'
import { PAGES } from './route/parse-route.ts'
import { useRoute } from './route/use-route.ts'
import { focusSearch } from './shell/focus-search.ts'
import { Header } from './shell/header.tsx'
import { Help } from './shell/help.tsx'
import { SessionPage } from './shell/session-page.tsx'
import { SkipLink } from './shell/skip-link.tsx'
import { useKeys } from './shell/use-keys.ts'
import type { Route } from './view-props.ts'
import { SessionsView } from './views/sessions/sessions-view.tsx'

interface PageProps {
  readonly source: PageSource
  readonly onToken: (token: string) => void
}

/** The keys that work on every page. */
const PAGE_KEYS = ['0', ...PAGES.map((_, place) => String(place + 1)), '/', '?']

/** Pixels of the header with tabs; on a narrow page they stand in two rows. As in shell.module.css. */
const HEADER = { base: 108, xs: 84 }

/** The frame around every page, and the page that the address names. */
export function Page({ source, onToken }: PageProps) {
  const [asked, go] = useRoute()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [first] = source.engines
  // A file with one conversation has no list to begin with.
  const route: Route = asked.session === undefined && first ? { ...asked, session: first.id } : asked
  const { session } = route
  const goWithin = useCallback(
    (to: Omit<Route, 'session'>) => go(session === undefined ? to : { ...to, session }),
    [go, session],
  )
  useKeys(PAGE_KEYS, (key) => {
    if (isHelpOpen) return
    if (key === '?') return setHelpOpen(true)
    if (session === undefined) return key === '/' ? focusSearch() : undefined
    if (key === '0') return go({ page: 'timeline' })
    const page = key === '/' ? 'transcript' : PAGES[Number(key) - 1]
    if (page) goWithin({ page, ...(route.request === undefined ? {} : { request: route.request }) })
    if (key === '/') focusSearch()
  })

  return (
    <AppShell header={{ height: session === undefined ? 44 : HEADER }} padding={0}>
      <SkipLink />
      <AppShell.Header>
        <Header source={source} route={route} go={go} onHelp={() => setHelpOpen(true)} />
      </AppShell.Header>
      <AppShell.Main id="main" tabIndex={-1} style={{ outline: 'none' }}>
        {session === undefined ? (
          <SessionsView source={source} go={go} onToken={onToken} />
        ) : (
          <SessionPage
            key={session}
            source={source}
            id={session}
            route={route}
            go={goWithin}
            onToken={onToken}
          />
        )}
      </AppShell.Main>
      <Help isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </AppShell>
  )
}
