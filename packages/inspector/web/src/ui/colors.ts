import type { TokenKind, ViewMessage } from '../../../src/view/session-view.ts'

/** The parts of a prompt, in order. Fills are quiet except for an engine's texts; neighbours differ in lightness. */
export const tokenKinds: Readonly<
  Record<TokenKind, { readonly label: string; readonly meaning: string; readonly fill: string }>
> = {
  tools: {
    label: 'Tools',
    meaning: 'The tools that the model may call, those of the engine included.',
    fill: 'light-dark(#a3abb5, #5d6670)',
  },
  system: {
    label: 'System',
    meaning: 'The system prompt of the host.',
    fill: 'light-dark(#2f66b3, #5b93dc)',
  },
  decisions: {
    label: 'Decisions',
    meaning: 'What the engine noted of decisions that were made.',
    fill: 'light-dark(#e0702a, #f0a35e)',
  },
  summaries: {
    label: 'Summaries',
    meaning: 'Summaries that stand for older messages.',
    fill: 'light-dark(#a8409e, #d08cc9)',
  },
  head: {
    label: 'Head',
    meaning: 'The first messages of the session, kept as they were said.',
    fill: 'light-dark(#35a98e, #2aa583)',
  },
  tail: {
    label: 'Tail',
    meaning: 'The newest messages, as they were said; before a compaction that is all of them.',
    fill: 'light-dark(#e2d3a4, #857747)',
  },
}

/** Each has a contrast of at least 4.5 with the page, so that it can be a text colour. */
const messageColors: Readonly<Record<ViewMessage['role'] | 'decisions' | 'summary', string>> = {
  system: 'light-dark(#0a3a78, #6aa5f2)',
  developer: 'light-dark(#0a3a78, #6aa5f2)',
  user: 'light-dark(#1a1b1e, #ffffff)',
  assistant: 'light-dark(#0b6478, #66c7dc)',
  tool: 'light-dark(#6b7280, #8d98a2)',
  decisions: 'light-dark(#bd4300, #e8893a)',
  summary: 'light-dark(#a8289e, #eebfea)',
}

export const messageColor = ({ role, kind }: Pick<ViewMessage, 'role' | 'kind'>): string =>
  messageColors[kind === 'decisions' || kind === 'summary' ? kind : role]

const SIDES = [
  'light-dark(#2b4fc4, #8fa8ff)',
  'light-dark(#d9730d, #f5b04c)',
  'light-dark(#0b7d69, #35c7a5)',
  'light-dark(#a8289e, #e3a0dc)',
]

export const sideColor = (place: number): string => SIDES[place % SIDES.length] ?? ''
