import { Badge, Progress } from '@mantine/core'
import { memo } from 'react'
import type { ViewSummary } from '../../../../src/view/session-view.ts'
import { formatAmount, formatShort, formatTime } from '../../format.ts'
import { formatRoute } from '../../route/parse-route.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import type { Route } from '../../view-props.ts'
import classes from './sessions.module.css'

interface SessionLineProps {
  readonly session: ViewSummary
  readonly go: (to: Route) => void
}

export const SessionLine = memo(function SessionLine({ session, go }: SessionLineProps) {
  const { id, title, engine, model, source, isLive, startedAt, requests, compactions, tokens, window } =
    session
  const { recording, isStored, messages } = session
  const about = recording ? [recording.agent, recording.folder] : [engine, model, source]
  const to: Route = { session: id, page: 'timeline' }
  return (
    <li>
      <a
        className={classes.line}
        href={`#${formatRoute(to)}`}
        data-testid="session"
        data-id={id}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          go(to)
        }}
      >
        <span className={classes.name}>
          <span className={classes.title}>
            <PlainText text={title} />
          </span>
          {isLive && (
            <Badge variant="dot" color="teal" size="xs">
              Live
            </Badge>
          )}
        </span>
        <span className={classes.quiet}>
          <PlainText
            text={[...about, startedAt === null ? null : formatTime(startedAt)]
              .filter((part) => part !== null)
              .join(' · ')}
          />
        </span>
        <span className={classes.numbers}>
          {recording && <span>{formatShort(recording.bytes)} bytes</span>}
          {isStored && <span>{formatAmount(messages, 'message')}</span>}
          {!recording && !isStored && <span>{formatAmount(requests, 'request')}</span>}
          {isStored ? <span>stored</span> : <span>{formatAmount(compactions, 'compaction')}</span>}
          {!recording && !isStored && (
            <>
              <span>
                {formatShort(tokens)} of {formatShort(window)} tokens
              </span>
              <Progress
                className={classes.meter}
                size={4}
                value={(100 * tokens) / Math.max(window, 1)}
                aria-label="The last prompt in the window"
              />
            </>
          )}
        </span>
      </a>
    </li>
  )
})
