// One player: who it is, the figures, what can be done, and everything that happened.

import { useState } from "react";
import { ROLE_NAMES } from "@/api/role-names";
import { useSession } from "@/api/session";
import { Badge, Button, EmptyState, LinkButton, PageHeader, PageTitle, Panel } from "@/components";
import { fetchPlayer, type PlayerOverview } from "../api/admin";
import { useApproval } from "../approvals/use-approval";
import { NoteDialog } from "../decisions/note-dialog";
import { userIdOf } from "../decisions/rules";
import { ExactTime, UserBadge } from "../lists/cells";
import { Loaded } from "../lists/loaded";
import { usePage } from "../lists/page";
import { useRowKeys } from "../lists/row-keys";
import { IfPermitted, usePermission } from "../permissions";
import { tabAddress } from "../tabs";
import { Actions, type OpenDialog, UserDialog } from "../tabs/users-tab";
import { Figures } from "./figures";
import { Sessions } from "./sessions";
import { Timeline, useFilteredTimeline } from "./timeline";

export function PlayerPage({ playerId }: { playerId: string }) {
  const id = userIdOf(playerId);
  useRowKeys();
  return (
    <div className="mx-auto grid w-full max-w-[1480px] gap-4 p-4 max-lg:p-3 lg:p-5">
      <PageTitle title="Player" />
      {id === null ? <NoPlayer playerId={playerId} /> : <KnownId id={id} />}
    </div>
  );
}

function NoPlayer({ playerId }: { playerId: string }) {
  return (
    <Panel>
      <EmptyState
        title={`There is no player with the ID ${playerId}`}
        action={<LinkButton to={tabAddress("users")}>All Users</LinkButton>}
      >
        The ID may be mistyped. Players are never deleted.
      </EmptyState>
    </Panel>
  );
}

function KnownId({ id }: { id: number }) {
  const player = usePage(["admin", "player", id], () => fetchPlayer(id));
  return (
    <Loaded state={player} what="the player">
      {(overview) =>
        overview === null ? (
          <NoPlayer playerId={String(id)} />
        ) : (
          <Player overview={overview} reload={async () => void (await player.mutate())} />
        )
      }
    </Loaded>
  );
}

function Player({ overview, reload }: { overview: PlayerOverview; reload(): Promise<void> }) {
  const { user } = overview;
  const timeline = useFilteredTimeline(user.id);
  const maySeeSessions = usePermission("read_security_events");
  /** What is done here changes the figures and the timeline. */
  const readAgain = () => void Promise.all([reload(), timeline.pages.reload()]);
  return (
    <>
      <PageHeader
        title={user.username}
        kicker={`Player #${user.id}`}
        backTo={{ to: tabAddress("users"), label: "All users" }}
      />
      <Panel>
        <div className="grid gap-4">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
            <Standing overview={overview} />
            <PlayerActions overview={overview} readAgain={readAgain} />
          </div>
          <Figures overview={overview} />
        </div>
      </Panel>
      <Timeline timeline={timeline} username={user.username} />
      {maySeeSessions && <Sessions user={user} onEnded={readAgain} />}
    </>
  );
}

/** The role and the status, and why. */
function Standing({ overview: { user } }: { overview: PlayerOverview }) {
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-2 text-14">
      <UserBadge status={user.status} />
      {user.isAdmin && <Badge className="text-ink">Admin · {ROLE_NAMES[user.role]}</Badge>}
      {user.closedAt !== null && <Badge>Closed</Badge>}
      {user.banReason !== null && (
        <span className="text-ink-2 [overflow-wrap:anywhere]">Banned for: {user.banReason}</span>
      )}
      <Restriction label="No betting" reason={user.bettingBlockReason} />
      <Restriction label="No withdrawing" reason={user.withdrawingBlockReason} />
      <span className="text-13 text-ink-3">
        Registered <ExactTime iso={user.createdAt} />
      </span>
    </p>
  );
}

function Restriction({ label, reason }: { label: string; reason: string | null }) {
  if (reason === null) return null;
  return (
    <span className="[overflow-wrap:anywhere]">
      <Badge tone="notice">{label}</Badge> <span className="text-ink-2">{reason}</span>
    </span>
  );
}

function PlayerActions({ overview: { user }, readAgain }: { overview: PlayerOverview; readAgain(): void }) {
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [isNoting, setNoting] = useState(false);
  const { user: me, refresh } = useSession();
  const approval = useApproval();
  function end() {
    setDialog(null);
    setNoting(false);
    readAgain();
  }
  const handlers = {
    onCancel: () => setDialog(null),
    onDone() {
      end();
      if (user.id === me?.id) void refresh();
    },
    onProposed() {
      end();
      void approval.mutate();
    },
    onConflict: end,
    onUnsure: end,
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <IfPermitted permission="write_notes">
          <Button size="small" onClick={() => setNoting(true)}>
            Add Note
          </Button>
        </IfPermitted>
        <Actions user={user} openDialog={setDialog} />
      </div>
      {isNoting && <NoteDialog user={user} {...handlers} onCancel={() => setNoting(false)} />}
      {dialog !== null && <UserDialog {...dialog} handlers={handlers} onSeen={readAgain} />}
    </>
  );
}
