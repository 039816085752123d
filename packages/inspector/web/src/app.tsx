import { useCallback, useEffect, useState } from 'react'
import { createApi } from './data/api.ts'
import { fileSource } from './data/file-source.ts'
import { liveSource } from './data/live-source.ts'
import { PageDataError } from './data/page-data-error.ts'
import type { PageSource } from './data/page-source.ts'
import { readEmbedded } from './data/read-embedded.ts'
import { readToken, storeToken } from './data/token.ts'
import { waitOrOnline } from './data/wait-or-online.ts'
import { whileSeen } from './data/while-seen.ts'
import { Page } from './page.tsx'
import { Notice } from './shell/notice.tsx'

/** The page, from what was written into its file, or else from the service that it came from. */
export function App({ embedded }: { readonly embedded: string | null }) {
  const [source, setSource] = useState<PageSource>()
  const [failure, setFailure] = useState<string>()

  const follow = useCallback((token: string | null) => {
    const api = createApi({ fetch: (...request) => fetch(...request), token })
    setSource(liveSource({ api, wait: waitOrOnline, whileSeen }))
  }, [])

  useEffect(() => {
    if (embedded === null) return follow(readToken())
    readEmbedded(embedded)
      .then((views) => setSource(fileSource(views)))
      .catch((error: unknown) =>
        setFailure(error instanceof PageDataError ? error.message : 'The data in this page can not be read.'),
      )
  }, [embedded, follow])

  const onToken = (token: string) => {
    storeToken(token)
    follow(token)
  }
  if (failure !== undefined) return <Notice title="This page can not be shown" message={failure} />
  return source ? <Page source={source} onToken={onToken} /> : null
}
