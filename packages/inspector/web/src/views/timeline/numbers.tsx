import { Tabs } from '@mantine/core'
import { memo } from 'react'
import type { SessionView } from '../../../../src/view/session-view.ts'
import { formatCount } from '../../ui/format-count.ts'
import type { ViewProps } from '../../view-props.ts'
import { CompactionList } from './compaction-list.tsx'
import { RequestTable } from './request-table.tsx'
import classes from './timeline.module.css'
import { WarningList } from './warning-list.tsx'

interface NumbersProps {
  readonly view: SessionView
  readonly selected: number
  readonly go: ViewProps['go']
}

/** The charts as text: every number of every request, the compactions, and what went wrong. */
export const Numbers = memo(function Numbers({ view, selected, go }: NumbersProps) {
  return (
    <section className={classes.panel} aria-label="The numbers">
      <Tabs defaultValue="requests" keepMounted={false} classNames={{ tab: classes.numbersTab }}>
        <Tabs.List>
          <Tabs.Tab value="requests">Requests {formatCount(view.requests.length)}</Tabs.Tab>
          <Tabs.Tab value="compactions">Compactions {formatCount(view.compactions.length)}</Tabs.Tab>
          <Tabs.Tab value="warnings">Warnings {formatCount(view.warnings.length)}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="requests">
          <RequestTable view={view} selected={selected} go={go} />
        </Tabs.Panel>
        <Tabs.Panel value="compactions">
          <CompactionList view={view} go={go} />
        </Tabs.Panel>
        <Tabs.Panel value="warnings">
          <WarningList view={view} go={go} />
        </Tabs.Panel>
      </Tabs>
    </section>
  )
})
