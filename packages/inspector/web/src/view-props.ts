import type { SessionView } from '../../src/view/session-view.ts'
import type { PageSource } from './data/page-source.ts'

export type PageName = 'timeline' | 'context' | 'transcript' | 'summaries' | 'decisions' | 'compare'

export interface Route {
  readonly session?: string
  readonly page: PageName
  readonly request?: number
  /** Place in the transcript, from 0; people and addresses count from 1. */
  readonly message?: number
  readonly node?: string
  readonly decision?: string
  readonly other?: string
  readonly query?: string
  /** `whole`: the search is for whole words. */
  readonly words?: string
  /** Of the transcript: the roles that are shown, with commas between them. */
  readonly roles?: string
  readonly tool?: string
  /** `failed`: calls that failed. */
  readonly only?: string
  /** `written`: without Markdown, byte for byte. */
  readonly as?: string
  /** `engine`: what the engine wrote, too. */
  readonly with?: string
}

export interface ViewProps {
  readonly view: SessionView
  readonly route: Route
  readonly go: (to: Omit<Route, 'session'>) => void
  readonly source: PageSource
}
