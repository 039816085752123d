import { AppShell } from '@mantine/core'
import { useCallback, useEffect, useState } from 'react'
import type { PageSource } from './data/page-source.ts'
import { useStore } from './data/store.ts'
import { PAGES } from './route/parse-route.ts'
import { useRoute } from './route/use-route.ts'
import { focusSearch } from './shell/focus-search.ts'
import { Header } from './shell/header.tsx'
import { KeysHelp } from './shell/keys-help.tsx'
import { SessionPage } from './shell/session-page.tsx'
import { SkipLink } from './shell/skip-link.tsx'
import { useKeys } from './shell/use-keys.ts'
import type { Route } from './view-props.ts'
import { SessionsView } from './views/sessions/sessions-view.tsx'

export interface PageProps {
  readonly source: PageSource
  readonly onToken: (token: string) => void
}

/** The keys that work on every page. */
const PAGE_KEYS = ['0', ...PAGES.map((_, place) => String(place + 1)), '/', '?']

/** The frame around every page, and the page that the address names. */
export function Page({ source, onToken }: PageProps) {
  const [route, go] = useRoute()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const sessions = useStore(source.sessions)
  const only = sessions.status === 'ready' && sessions.value.length === 1 ? sessions.value[0] : undefined
  const isOnly = only !== undefined && !source.isLive

  // A file with one session opens on it.
  useEffect(() => {
    if (isOnly && route.session === undefined) go({ session: only.id, page: 'timeline' })
  }, [isOnly, only, route.session, go])

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
    <AppShell header={{ height: session === undefined ? 44 : 84 }} padding={0}>
      <SkipLink />
      <AppShell.Header>
        <Header source={source} route={route} go={go} hasList={!isOnly} onHelp={() => setHelpOpen(true)} />
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
      <KeysHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </AppShell>
  )
}
