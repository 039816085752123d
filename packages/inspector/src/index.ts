export { createInspector, type Inspector, type InspectorOptions } from './create-inspector.ts'
export { embedViews, readPageTemplate } from './page/page-template.ts'
export { type BilledRequest, type BillInput, type BillMeter, createBillMeter } from './view/bill-meter.ts'
export type {
  PageFile,
  SessionView,
  ViewBill,
  ViewDecision,
  ViewSource,
  ViewSourceSpan,
  ViewSummary,
  ViewSummaryNode,
} from './view/session-view.ts'
export { createStoredView, type StoredSessions, type StoredViewInput } from './view/stored-sessions.ts'
export type { SessionReader, WatchOptions } from './view/view-recorder.ts'
