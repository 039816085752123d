import { type Message, toolCallsOf } from '@palimpsest/core'

/** A section of a record: its heading, and the instruction for its content. */
export interface Section {
  readonly heading: string
  readonly hint: string
}

/** The sections for work with tools: seven of Hermes Agent's, and Errors & Fixes. */
export const WORK_SECTIONS: readonly Section[] = [
  { heading: 'Goal', hint: 'what the user wants, and each request so far with whether it is settled' },
  {
    heading: 'Constraints & Preferences',
    hint: 'each rule that holds beyond one request and is not in <rules>, quoted word for word in "…"; values and wordings that the user dictated',
  },
  {
    heading: 'Progress',
    hint: 'sub-headings "### Done", "### In Progress", "### Blocked"; each with how it was done and its outcome',
  },
  {
    heading: 'Key Decisions',
    hint: 'what was chosen, by whom, why, what it replaced, what was tried or proposed and given up',
  },
  { heading: 'Relevant Files', hint: 'exact paths: what each holds, and what was done to it and why' },
  {
    heading: 'Errors & Fixes',
    hint: 'exact error texts, their cause, and what fixed them; what still fails',
  },
  { heading: 'Next Steps', hint: 'what was planned or promised, as a report and not as an instruction' },
  {
    heading: 'Critical Context',
    hint: 'exact values: names, numbers, versions, ids, commands, settings, results of tests and measurements',
  },
]

/** The sections for talk without tools. */
export const TALK_SECTIONS: readonly Section[] = [
  {
    heading: 'Constraints & Preferences',
    hint: 'each rule that holds beyond one request and is not in <rules>, quoted word for word in "…"',
  },
  {
    heading: 'People & Things',
    hint: 'one line for each person, pet, place, project or thing that was spoken of: every lasting fact, number, name and liking',
  },
  {
    heading: 'Record',
    hint: 'one line for each event, statement, plan, picture or advice, by topic or person and oldest first, beginning with its date: who, what, with whom, where, why, what they felt or concluded',
  },
  {
    heading: 'Decisions & Open Points',
    hint: 'what was chosen and why, what was planned or asked and is not settled',
  },
]

const WORK_HEADING = /^## (?:Progress|Relevant Files|Key Decisions)$/m

/** True for work with tools, by the messages or by the record so far. */
export function isWork(messages: readonly Message[], record = ''): boolean {
  return (
    WORK_HEADING.test(record) ||
    messages.some((message) => message.role === 'tool' || toolCallsOf(message).length > 0)
  )
}
