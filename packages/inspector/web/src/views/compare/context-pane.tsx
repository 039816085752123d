import { Badge } from '@mantine/core'
import { useMemo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { sideColor } from '../../charts/chart-colors.ts'
import { promptTokens } from '../../data/session-figures.ts'
import { formatAmount, formatCount } from '../../format.ts'
import { estimateHeight } from '../../ui/estimate-height.ts'
import { cssColor } from '../../ui/kind-colors.ts'
import { MessageCard } from '../../ui/message-card.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import classes from './compare.module.css'

interface ContextPaneProps {
  readonly side: 'left' | 'right'
  readonly view: SessionView
  readonly request: number
  readonly context: readonly number[]
  readonly only: ReadonlySet<number>
  readonly onlyDifferences: boolean
}

const keyOf = (index: number) => index

export function ContextPane({ side, view, request, context, only, onlyDifferences }: ContextPaneProps) {
  const items = useMemo(
    () => (onlyDifferences ? context.filter((index) => only.has(index)) : context),
    [context, only, onlyDifferences],
  )
  const made = view.requests[request]
  return (
    <section
      className={classes.pane}
      aria-label={`Context of ${view.engine}, ${side}`}
      data-testid={`${side}-context`}
    >
      <h2 className={classes.paneHead}>
        <i className="swatch" style={{ background: cssColor(sideColor(side === 'left' ? 0 : 1)) }} />
        <PlainText text={view.engine} />
        <span className={classes.quiet}>
          {made
            ? `${formatAmount(context.length, 'message')}, ${formatAmount(promptTokens(made), 'token')}; only here: ${formatCount(only.size)}`
            : `has no request ${formatCount(request + 1)}`}
        </span>
      </h2>
      <VirtualList
        items={items}
        keyOf={keyOf}
        estimate={(index) => {
          const message = view.messages[index]
          return message ? estimateHeight(message) : 0
        }}
        render={(index) => {
          const message = view.messages[index]
          return (
            message && (
              <MessageCard message={message} index={index}>
                {only.has(index) && (
                  <Badge size="xs" variant="light" color={side === 'left' ? 'indigo' : 'orange'}>
                    only here
                  </Badge>
                )}
              </MessageCard>
            )
          )
        }}
        label={`Messages that ${view.engine} shows, ${side}`}
        height={560}
      />
    </section>
  )
}
