// Proposals that need a second person, and the thresholds from which on they do.

import { type ReactNode, useState } from "react";
import { useSWRConfig } from "swr";
import { useUser } from "@/api/session";
import { Badge, Button, EmptyState, Panel } from "@/components";
import { useHotkeys } from "@/lib/hotkeys";
import type { Proposal, ProposalDecision } from "../api/admin";
import { useAdminList } from "../api/admin-pages";
import { amountOf, ProposalTerms } from "../approvals/proposal-terms";
import { ThresholdsPanel } from "../approvals/thresholds-panel";
import { useApproval } from "../approvals/use-approval";
import { KIND_NAMES } from "../approvals/wording";
import { ProposalDialog } from "../decisions/proposal-dialog";
import { DateTime, UserLink } from "../lists/cells";
import { Filter, ListBar } from "../lists/list-bar";
import { focusRecord, RecordList } from "../lists/record-list";
import { onRow, rowKey } from "../lists/row-keys";
import { useChoice } from "../lists/url-state";
import { useLiveList } from "../live/live-list";
import { LiveUpdatedAt } from "../live/live-note";
import { signalsOf, usePendingWork } from "../live/pending-work";
import { asLabel } from "../lists/wording";

const STATES = [
  { value: "open", label: "Waiting" },
  { value: "approved", label: "Approved" },
  { value: "refused", label: "Refused" },
  { value: "withdrawn", label: "Withdrawn" },
  { value: "expired", label: "Expired" },
] as const;
type Decision = ProposalDecision["decision"];
type OpenDialog = { decision: Decision; proposal: Proposal };

export default function ApprovalsTab() {
  return (
    <div className="grid gap-4">
      <Proposals />
      <ThresholdsPanel />
    </div>
  );
}

function Proposals() {
  const state = useChoice("state", STATES);
  const proposals = useAdminList("proposals", { state: state.value });
  const approval = useApproval();
  const { data: pending } = usePendingWork();
  const { mutate } = useSWRConfig();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const live = useLiveList({
    signal: signalsOf(pending)?.proposals,
    reload: proposals.reload,
    isBusy: dialog !== null,
  });
  useDecisionKeys(proposals.entries, setDialog);
  const close = () => setDialog(null);
  function reload() {
    close();
    void approval.mutate();
    void live.show().then(() => dialog && focusRecord(dialog.proposal.id));
  }
  return (
    <Panel title="Proposals" actions={<LiveUpdatedAt loadedAtMs={proposals.loadedAtMs} live={live} />}>
      <ListBar noun="proposals" isLoading={proposals.isLoading} onRefresh={reload}>
        <Filter label="State" value={state.value} onChoose={state.choose} options={STATES} />
      </ListBar>
      <RecordList pages={proposals} noun="proposals" empty={<NoProposals isOpen={state.value === "open"} />}>
        {(rows) => (
          <ul {...live.area} aria-label="Proposals" className="divide-y divide-line border-y border-line">
            {rows.map((proposal) => (
              <ProposalItem
                key={proposal.id}
                proposal={proposal}
                onDecide={(decision) => setDialog({ decision, proposal })}
              />
            ))}
          </ul>
        )}
      </RecordList>
      {dialog !== null && (
        <ProposalDialog
          {...dialog}
          onCancel={close}
          onDone={(decided) => {
            live.noteAct();
            // It stays in place until the list is reloaded, so that no other proposal moves under the pointer.
            proposals.replace((known) => known.id === decided.id, decided);
            close();
            focusRecord(decided.id);
            // The badge, the thresholds, and what the other tabs show of what was carried out.
            void mutate((key) => Array.isArray(key) && key[0] === "admin");
          }}
          onConflict={reload}
          onUnsure={reload}
        />
      )}
    </Panel>
  );
}

const canBeDecided = ({ state, canDecide }: Proposal): boolean => state === "open" && canDecide;

/** A and R open the dialog for the proposal with the focus. */
function useDecisionKeys(rows: readonly Proposal[], openDialog: (dialog: OpenDialog) => void): void {
  const decide = (decision: Decision) => onRow(rows, canBeDecided, (proposal) => openDialog({ decision, proposal }));
  useHotkeys([
    rowKey("a", "Approve the proposal", decide("approve")),
    rowKey("r", "Refuse the proposal", decide("refuse")),
  ]);
}

function NoProposals({ isOpen }: { isOpen: boolean }) {
  if (!isOpen) return <EmptyState title="No proposals found" />;
  return (
    <EmptyState title="Nothing waits for a second person">
      What exceeds a threshold is proposed where it is done, and appears here for somebody else to approve.
    </EmptyState>
  );
}

function ProposalItem({ proposal, onDecide }: { proposal: Proposal; onDecide(decision: Decision): void }) {
  const amount = amountOf(proposal);
  return (
    <li data-record={proposal.id} tabIndex={-1} className="grid gap-3 py-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="text-14 font-semibold">{KIND_NAMES[proposal.kind]}</h3>
        {proposal.state !== "open" && <Badge>{asLabel(proposal.state)}</Badge>}
        <span className="text-13 text-ink-3">#{proposal.id}</span>
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-14 [&_dt]:text-12 [&_dt]:text-ink-3">
        {proposal.user !== null && (
          <Fact name="User">
            <UserLink id={proposal.user.id} username={proposal.user.username} />
          </Fact>
        )}
        {amount !== null && (
          <Fact name="Amount">
            <span className="font-semibold">{amount}</span>
          </Fact>
        )}
        <Fact name="Proposed by">
          {proposal.proposedBy.username}, <DateTime iso={proposal.proposedAt} />
        </Fact>
        {proposal.state === "open" && (
          <Fact name="Can be approved until">
            <DateTime iso={proposal.expiresAt} />
          </Fact>
        )}
        {proposal.decidedBy !== null && proposal.decidedAt !== null && (
          <Fact name={`${asLabel(proposal.state)} by`}>
            {proposal.decidedBy.username}, <DateTime iso={proposal.decidedAt} />
          </Fact>
        )}
      </dl>
      <div className="grid max-w-[76ch] gap-1 break-words text-14 text-ink-2">
        <div>
          <ProposalTerms proposal={proposal} />
        </div>
        {proposal.reason !== null && <p>Reason: {proposal.reason}</p>}
        {proposal.decisionReason !== null && <p>Refused because: {proposal.decisionReason}</p>}
        <p className="text-13 text-ink-3">{proposal.cause}</p>
      </div>
      {proposal.state === "open" && <Actions proposal={proposal} onDecide={onDecide} />}
    </li>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt>{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}

function Actions({ proposal, onDecide }: { proposal: Proposal; onDecide(decision: Decision): void }) {
  const me = useUser();
  const what = `proposal ${proposal.id}`;
  if (proposal.isOwn)
    return (
      <div className="flex flex-wrap items-center gap-3">
        <Button size="small" aria-label={`Withdraw ${what}`} onClick={() => onDecide("withdraw")}>
          Withdraw
        </Button>
        <span className="text-13 text-ink-3">You have proposed this, so somebody else decides.</span>
      </div>
    );
  if (!proposal.canDecide)
    return (
      <p className="text-13 text-ink-3">
        {proposal.user?.id === me?.id
          ? "This concerns your own account, so somebody else decides."
          : "Your role does not permit this."}
      </p>
    );
  return (
    <div className="flex gap-2">
      <Button size="small" aria-label={`Approve ${what}`} onClick={() => onDecide("approve")}>
        Approve
      </Button>
      <Button size="small" aria-label={`Refuse ${what}`} onClick={() => onDecide("refuse")}>
        Refuse
      </Button>
    </div>
  );
}
