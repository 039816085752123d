import type { SessionView } from '../../src/view/session-view.ts'

export type PageName = 'timeline' | 'context' | 'transcript' | 'summaries' | 'decisions' | 'compare'

export interface Route {
  readonly session?: string
  readonly page: PageName
  readonly request?: number
  readonly message?: number
  readonly node?: string
  readonly decision?: string
  readonly other?: string
  readonly query?: string
}

export interface ViewProps {
  readonly view: SessionView
  readonly route: Route
  readonly go: (to: Omit<Route, 'session'>) => void
}
