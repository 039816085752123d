import type { ViewSummaryNode } from '../../../../src/view/session-view.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import classes from './summaries.module.css'
import { levelOf, previewOf, rangeOf, sizeOf } from './summary-index.ts'

interface SummaryLabelProps {
  readonly node: ViewSummaryNode
  readonly hits: number
}

export function SummaryLabel({ node, hits }: SummaryLabelProps) {
  return (
    <span className={classes.label}>
      <span className={classes.labelHead}>
        <strong>{rangeOf(node)}</strong>
        <span>{levelOf(node)}</span>
        {node.isShown && <span className={classes.shown}>in the context</span>}
        {hits > 0 && <span className={classes.hits}>{hits}</span>}
      </span>
      <span className={classes.labelSize}>{sizeOf(node)} tokens</span>
      <span className={classes.labelText} data-preview="">
        <PlainText text={previewOf(node.text)} />
      </span>
    </span>
  )
}
