import { useCallback, useEffect, useMemo, useState } from 'react'
import { useHashLocation } from 'wouter/use-hash-location'
import type { Route } from '../view-props.ts'
import { formatRoute, parseRoute } from './parse-route.ts'

/** Milliseconds that the address lags behind moves within a page: browsers allow only so many changes of it. */
const SETTLE = 150

/** Where a person is, and how to go elsewhere. Moves within a page replace the address, others can be gone back from. */
export function useRoute(): readonly [Route, (to: Route) => void] {
  const [path, navigate] = useHashLocation()
  const [moved, setMoved] = useState<{ readonly from: string; readonly to: string }>()
  // What the address says, unless the person has moved on since it was read.
  const current = moved?.from === path ? moved.to : path

  useEffect(() => {
    if (moved?.from !== path) return
    const timer = setTimeout(() => navigate(moved.to, { replace: true }), SETTLE)
    return () => clearTimeout(timer)
  }, [moved, path, navigate])

  const route = useMemo(() => parseRoute(current), [current])
  const go = useCallback(
    (to: Route) => {
      const next = formatRoute(to)
      const here = parseRoute(path)
      if (here.session === to.session && here.page === to.page) return setMoved({ from: path, to: next })
      if (moved?.from === path) navigate(moved.to, { replace: true })
      setMoved(undefined)
      navigate(next)
      window.scrollTo(0, 0)
    },
    [path, moved, navigate],
  )
  return [route, go]
}
