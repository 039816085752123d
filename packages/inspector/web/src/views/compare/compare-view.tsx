import { Select, Stack } from '@mantine/core'
import { useMemo } from 'react'
import type { SessionView, ViewSummary } from '../../../../src/view/session-view.ts'
import { type Loaded, type PageSource, stillLoading, useStore } from '../../data/page-source.ts'
import type { ViewProps } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { ShowAgain } from '../engine-offer.tsx'
import { Comparison } from './comparison.tsx'

export function CompareView(props: ViewProps) {
  const { view, route, go, source } = props
  const sessions = useStore(source.sessions)
  const known = sessions.status === 'ready' ? sessions.value : []
  const others = useMemo(() => known.filter(({ id }) => id !== view.id), [known, view.id])
  // Defaults to the same conversation under another engine.
  const otherId = route.other ?? (others.find(({ title }) => title === view.title) ?? others[0])?.id
  const other = useStore<Loaded<SessionView>>(otherId === undefined ? stillLoading : source.open(otherId))
  const more = useMemo(
    () =>
      source.engines
        .filter(({ id }) => id !== view.id && id !== otherId)
        .flatMap(({ id }) => viewOf(source, id)),
    [source, view.id, otherId],
  )
  if (otherId === undefined)
    return (
      <Notice
        title="Nothing to compare with"
        message={
          source.isLive
            ? 'As soon as the service has a second session, the two can be set next to each other.'
            : 'This file holds one session with one engine. A replay with --compare writes several engines into one file.'
        }
      >
        {!source.isLive && <ShowAgain view={view} options="--compare compressor,lcm,decisions" />}
      </Notice>
    )
  return (
    <Stack gap={12}>
      <Select
        aria-label="Compare with"
        leftSection="with"
        leftSectionWidth={44}
        size="xs"
        maw={420}
        searchable
        allowDeselect={false}
        value={otherId}
        data={others.map((session) => ({
          value: session.id,
          label: source.engines.length > 0 ? session.engine : labelOf(session),
        }))}
        renderOption={({ option }) => <PlainText text={option.label} />}
        onChange={(id) =>
          id !== null &&
          go({
            page: 'compare',
            other: id,
            ...(route.request === undefined ? {} : { request: route.request }),
          })
        }
      />
      {other.status === 'ready' && <Comparison {...props} other={other.value} more={more} />}
      {other.status === 'failed' && (
        <Notice title="The other session can not be shown" message={other.message} />
      )}
    </Stack>
  )
}

function viewOf(source: PageSource, id: string): readonly SessionView[] {
  const loaded = source.open(id).get()
  return loaded.status === 'ready' ? [loaded.value] : []
}

const labelOf = ({ title, engine, model }: ViewSummary) =>
  [title, engine, model].filter((part) => part !== null).join(' · ')
