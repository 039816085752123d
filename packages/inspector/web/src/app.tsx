import { useCallback, useEffect, useState } from 'react'
import { createApi, readToken, storeToken } from './data/api.ts'
import { type EncodedPart, fileSource, PageDataError, readEmbedded } from './data/file-source.ts'
import { liveSource } from './data/live-source.ts'
import type { PageSource } from './data/page-source.ts'
import { Page } from './page.tsx'
import { Notice } from './shell/notice.tsx'

interface AppProps {
  readonly embedded: string | null
  readonly parts: readonly EncodedPart[]
}

export function App({ embedded, parts }: AppProps) {
  const [source, setSource] = useState<PageSource>()
  const [failure, setFailure] = useState<string>()

  const follow = useCallback((token: string | null) => {
    const api = createApi({ fetch: (...request) => fetch(...request), token })
    setSource(liveSource({ api, wait: waitOrOnline, whileSeen }))
  }, [])

  useEffect(() => {
    if (embedded === null) return follow(readToken())
    readEmbedded(embedded, parts)
      .then((file) => setSource(fileSource(file)))
      .catch((error: unknown) =>
        setFailure(error instanceof PageDataError ? error.message : 'The data in this page can not be read.'),
      )
  }, [embedded, parts, follow])

  const onToken = (token: string) => {
    storeToken(token)
    follow(token)
  }
  if (failure !== undefined) return <Notice title="This page can not be shown" message={failure} />
  return source ? <Page source={source} onToken={onToken} /> : null
}

/** Ends early when the browser is online again. */
function waitOrOnline(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
    window.addEventListener('online', () => resolve(), { signal: done, once: true })
    done.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Pauses while the page is in the background: a browser has six connections to a service for all tabs. */
function whileSeen(run: (signal: AbortSignal) => void): () => void {
  let turn: AbortController | undefined
  const look = () => {
    if (document.visibilityState === 'hidden') {
      turn?.abort()
      turn = undefined
    } else if (turn === undefined) {
      turn = new AbortController()
      run(turn.signal)
    }
  }
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    turn?.abort()
  }
}
