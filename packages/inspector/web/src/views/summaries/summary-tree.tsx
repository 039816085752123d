import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { formatAmount } from '../../format.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import classes from './summaries.module.css'
import { levelOf, previewOf, rangeOf, type SummaryIndex, sizeOf } from './summary-index.ts'

interface SummaryTreeProps {
  readonly nodes: readonly ViewSummaryNode[]
  readonly index: SummaryIndex
  readonly selected: string | null
  readonly open: ReadonlySet<string>
  readonly onSelect: (id: string) => void
  readonly onToggle: (id: string) => void
}

/** Summaries, each with those below it that it was made from. */
export function SummaryTree({ nodes, ...props }: SummaryTreeProps) {
  return (
    <ul className={classes.tree}>
      {nodes.map((node) => (
        <SummaryBranch key={node.id} node={node} {...props} />
      ))}
    </ul>
  )
}

interface SummaryBranchProps extends Omit<SummaryTreeProps, 'nodes'> {
  readonly node: ViewSummaryNode
}

function SummaryBranch({ node, ...props }: SummaryBranchProps) {
  const { index, selected, open, onSelect, onToggle } = props
  const children = index.childrenOf(node)
  const isOpen = children.length > 0 && open.has(node.id)
  return (
    <li>
      <div className={classes.row}>
        {children.length > 0 && (
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Close' : 'Open'} ${formatAmount(children.length, 'summary', 'summaries')} of ${rangeOf(node)}`}
            onClick={() => onToggle(node.id)}
          >
            {isOpen ? '−' : `+${children.length}`}
          </button>
        )}
        <SummaryButton node={node} isSelected={node.id === selected} onSelect={onSelect} />
      </div>
      {isOpen && <SummaryTree nodes={children} {...props} />}
    </li>
  )
}

interface SummaryButtonProps {
  readonly node: ViewSummaryNode
  readonly isSelected: boolean
  readonly onSelect: (id: string) => void
  /** What a search found in it. */
  readonly found?: string
}

export function SummaryButton({ node, isSelected, onSelect, found }: SummaryButtonProps) {
  return (
    <button
      type="button"
      className={`list-button ${classes.node}`}
      aria-pressed={isSelected}
      data-node={node.id}
      data-shown={node.isShown || undefined}
      onClick={() => onSelect(node.id)}
    >
      <span className={classes.nodeHead}>
        <strong>{rangeOf(node)}</strong>
        <span>{levelOf(node)}</span>
        {node.isShown && <span className={classes.shown}>in the context</span>}
        <span className="quiet">{sizeOf(node)} tokens</span>
        {found !== undefined && <span className={classes.found}>{found}</span>}
      </span>
      <span className="clipped quiet" data-preview="">
        <PlainText text={previewOf(node.text)} />
      </span>
    </button>
  )
}
