import { NativeSelect, SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ViewSummary } from '../../../src/view/session-view.ts'
import { PlainText } from '../ui/plain-text.tsx'
import type { Route } from '../view-props.ts'
import classes from './shell.module.css'

interface EngineSwitchProps {
  readonly engines: readonly ViewSummary[]
  readonly current: string
  readonly route: Route
  readonly go: (to: Route) => void
}

export function EngineSwitch({ engines, current, route, go }: EngineSwitchProps) {
  const { page, request } = route
  const isNarrow = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  const change = (session: string) => go({ session, page, ...(request === undefined ? {} : { request }) })
  if (isNarrow)
    return (
      <NativeSelect
        size="xs"
        className={classes.engineSelect}
        aria-label="Engine"
        value={current}
        data={engines.map(({ id, engine }) => ({ value: id, label: engine }))}
        onChange={(event) => change(event.currentTarget.value)}
      />
    )
  return (
    <SegmentedControl
      size="xs"
      className={classes.engines}
      aria-label="Engine"
      value={current}
      data={engines.map(({ id, engine }) => ({ value: id, label: <PlainText text={engine} /> }))}
      onChange={change}
    />
  )
}
