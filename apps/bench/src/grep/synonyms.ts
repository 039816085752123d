/** Everyday words of work on software, two of one meaning in each entry. The engines do not read them. */
export const SYNONYMS: readonly (readonly [string, string])[] = `
add append; allow permit; always constantly; answer reply; argument parameter; ask request; avoid prevent; bad poor; begin start;
big large; break split; bug defect; build compile; call invoke; change modify; check verify; choose select; clean tidy; close shut;
collect gather; combine merge; command instruction; comment remark; complete finish; config configuration; connect attach;
contain include; continue proceed; convert transform; copy duplicate; correct right; count number; create make; current present;
customer client; data information; decide determine; default standard; define declare; delete remove; deploy release;
describe explain; detect discover; directory folder; document page; drop discard; easy simple; edit revise; empty blank;
enable activate; end stop; ensure guarantee; entry item; error failure; event occurrence; every each; example sample;
exist occur; expect anticipate; extra additional; extract obtain; fail crash; fast quick; feature capability; fetch retrieve;
field column; fill populate; find locate; fix repair; flag switch; function method; get receive; give provide; group cluster;
handle process; help assist; hide conceal; hold keep; identify recognise; ignore skip; image picture; implement realise;
important essential; improve enhance; increase raise; initial first; insert put; instance occurrence; invalid wrong; issue problem;
join link; key identifier; kill terminate; last final; later afterwards; launch open; leave exit; length size; level layer;
library package; limit bound; list array; load read; local nearby; log record; look view; match fit; message note; missing absent;
mode setting; module component; move shift; name title; need require; new fresh; node vertex; old former; only solely; option choice;
order sequence; output result; owner holder; parse analyse; part piece; path route; pick choose; place position; plan scheme;
point dot; print show; private internal; project workspace; push send; query question; range span; reach arrive; rename relabel;
repeat iterate; replace substitute; report summary; reset clear; resolve settle; return yield; run execute; save store;
scan sweep; search lookup; section chapter; server host; session conversation; set assign; share spread; show display; similar alike;
small little; source origin; space room; specific particular; state status; step stage; string text; style look; support back;
table grid; task job; test trial; tool utility; total sum; track follow; trigger cause; true correct; try attempt; turn round;
type kind; understand grasp; update refresh; use employ; user person; usual common; valid proper; value amount; version revision;
wait pause; want wish; warning alert; whole entire; window pane; work function; write compose
`
  .split(';')
  .map((pair) => pair.trim().split(' '))
  .map(([word = '', other = '']) => [word, other] as const)
