import { SegmentedControl } from '@mantine/core'
import { useCallback, useDeferredValue, useMemo } from 'react'
import type { ViewDecision } from '../../../../src/view/session-view.ts'
import { isInForce } from '../../data/kept.ts'
import { formatAmount, formatCount } from '../../format.ts'
import { changeRoute, type ViewProps } from '../../route.ts'
import { Notice } from '../../shell/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { EngineOffer } from '../engine-offer.tsx'
import { DecisionCard } from './decision-card.tsx'
import classes from './decisions.module.css'
import { chainOf, type DecisionFilter, groupDecisions, isWanted } from './group-decisions.ts'

const filters: readonly DecisionFilter[] = ['in force', 'undecided', 'ended', 'all']

export function DecisionsView(props: ViewProps) {
  const { decisions, engine, hasReader } = props.view
  if (decisions === null) {
    return (
      <Notice
        title="No decisions"
        message={`The engine ${engine} keeps no decisions. The engine decisions does, with a model that finds them: name one as auxiliary.extraction in config.yaml.`}
      >
        <EngineOffer {...props} options="--engine decisions" has={(other) => other.decisions !== null} />
      </Notice>
    )
  }
  if (decisions.length === 0) {
    return (
      <Notice
        title="No decisions yet"
        message={
          hasReader === false
            ? 'A model finds decisions, and this session has none, so only what the agent records is shown here. Name one as auxiliary.extraction in config.yaml.'
            : 'A model reads them, or the agent records them. Nothing that was said so far was read as one.'
        }
      />
    )
  }
  return <Decisions {...props} decisions={decisions} />
}

function Decisions({ route, go, decisions }: ViewProps & { readonly decisions: readonly ViewDecision[] }) {
  const query = useDeferredValue(route.query ?? '')
  const byId = useMemo(() => new Map(decisions.map((decision) => [decision.id, decision])), [decisions])
  const onSeq = useCallback((message: number) => go({ page: 'transcript', message }), [go])
  const onDecision = useCallback((decision: string) => go({ page: 'decisions', decision }), [go])
  const wanted = route.decision === undefined ? undefined : byId.get(route.decision)
  const standard = wanted !== undefined && !isInForce(wanted) ? 'all' : 'in force'
  const filter = filters.find((one) => one === route.only) ?? standard
  const groups = useMemo(() => groupDecisions(decisions, filter, query), [decisions, filter, query])
  const found = groups.reduce((sum, group) => sum + group.decisions.length, 0)
  return (
    <section aria-label="Decisions">
      <div className="tool-bar">
        <SearchBox
          query={route.query ?? ''}
          onChange={(next) => go(changeRoute(route, { query: next || undefined }))}
          placeholder="Search the decisions"
          found={query.trim() === '' ? '' : found === 0 ? 'No match' : formatAmount(found, 'decision')}
        />
        <SegmentedControl
          size="xs"
          aria-label="Which decisions"
          data={filters.map((value) => {
            const count = decisions.filter((decision) => isWanted(decision, value)).length
            return { value, label: `${value} ${formatCount(count)}` }
          })}
          value={filter}
          onChange={(only) => go(changeRoute(route, { only, decision: undefined }))}
        />
        {route.decision !== undefined && wanted === undefined && (
          <span role="status">This session has no such decision.</span>
        )}
      </div>
      {groups.length === 0 && (
        <Notice title="None" message="There is none of this kind, or with these words." />
      )}
      {groups.map((group) => (
        <section
          key={group.category}
          className={classes.group}
          aria-label={`${group.category}, ${formatAmount(group.decisions.length, 'decision')}`}
        >
          <h2 className={classes.category}>
            <PlainText text={group.category} />{' '}
            <span className="quiet">{formatCount(group.decisions.length)}</span>
          </h2>
          <div className={classes.cards}>
            {group.decisions.map((decision) => (
              <div
                key={decision.id}
                ref={decision.id === route.decision ? scrollTo : undefined}
                className={classes.place}
              >
                <DecisionCard
                  decision={decision}
                  chain={chainOf(decision, byId)}
                  rivals={decision.contestedBy.flatMap((id) => byId.get(id) ?? [])}
                  highlight={decision.id === route.decision}
                  onSeq={onSeq}
                  onDecision={onDecision}
                />
              </div>
            ))}
          </div>
        </section>
      ))}
    </section>
  )
}

const scrollTo = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })
