// The users, their balances and statuses.

import { useState } from "react";
import { ROLE_NAMES } from "@/api/role-names";
import { useSession } from "@/api/session";
import { Badge, Button, EmptyState, Panel } from "@/components";
import { Ago } from "@/components/ago";
import { centsOf, formatDollars } from "@/lib/money";
import type { AdminUser } from "../api/admin";
import { useAdminList } from "../api/admin-pages";
import { useApproval } from "../approvals/use-approval";
import { AdjustDialog } from "../decisions/adjust-dialog";
import { BanDialog, UnbanDialog } from "../decisions/ban-dialogs";
import { RoleDialog } from "../decisions/role-dialog";
import { UserBadge } from "../lists/cells";
import { ClearFilters, Filter, ListBar, SearchBox } from "../lists/list-bar";
import { type Column, focusRecord, RecordList, RecordTable } from "../lists/record-list";
import { SecurityDialog } from "../lists/security-dialog";
import { useChoice, useSearch } from "../lists/url-state";
import { IfPermitted } from "../permissions";
import { RestrictionDialog } from "../switches/restriction-dialog";
import { RestrictionBadges } from "../switches/restriction-badges";

const STATUSES = [
  { value: "all", label: "All users" },
  { value: "active", label: "Active" },
  { value: "banned", label: "Banned" },
] as const;
const ORDERS = [
  { value: "newest", label: "Newest first" },
  { value: "balance", label: "By balance" },
  { value: "username", label: "By username" },
] as const;

type OpenDialog = { action: "ban" | "unban" | "adjust" | "role" | "security" | "restrict"; user: AdminUser };

export default function UsersTab() {
  const search = useSearch();
  const status = useChoice("status", STATUSES);
  const order = useChoice("sort", ORDERS);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { user: me, refresh } = useSession();
  const approval = useApproval();
  const users = useAdminList("users", {
    search: search.value,
    status: status.value === "all" ? undefined : status.value,
    sort: order.value,
  });
  const isFiltered = search.value !== "" || status.value !== "all";
  const close = () => setDialog(null);
  const replace = (user: AdminUser) => users.replace((known) => known.id === user.id, user);
  function reload() {
    close();
    void users.reload().then(() => dialog && focusRecord(dialog.user.id));
  }
  const handlers = {
    onCancel: close,
    onDone(user: AdminUser) {
      replace(user);
      if (user.id === me?.id) void refresh();
      close();
      focusRecord(user.id);
    },
    onProposed() {
      close();
      void approval.mutate();
      if (dialog) focusRecord(dialog.user.id);
    },
    onConflict: reload,
    onUnsure: reload,
  };
  return (
    <Panel title="Users">
      <ListBar
        noun="users"
        list={users.list}
        query={users.query}
        isLoading={users.isLoading}
        onRefresh={() => void users.reload()}
      >
        <SearchBox label="Search by username or ID" search={search} />
        <Filter label="Status" value={status.value} onChoose={status.choose} options={STATUSES} />
        <Filter label="Order" value={order.value} onChoose={order.choose} options={ORDERS} />
      </ListBar>
      <RecordList
        pages={users}
        noun="users"
        empty={
          isFiltered ? (
            <EmptyState title="No users found matching your filters" action={<ClearFilters />} />
          ) : (
            <EmptyState title="No users found" />
          )
        }
      >
        {(rows) => <RecordTable label="Users" columns={columnsFor(setDialog)} rows={rows} keyOf={(user) => user.id} />}
      </RecordList>
      {dialog?.action === "security" && <SecurityDialog user={dialog.user} onClose={close} />}
      {dialog?.action === "ban" && <BanDialog user={dialog.user} {...handlers} />}
      {dialog?.action === "unban" && <UnbanDialog user={dialog.user} {...handlers} />}
      {dialog?.action === "restrict" && <RestrictionDialog user={dialog.user} {...handlers} />}
      {dialog?.action === "role" && <RoleDialog user={dialog.user} {...handlers} />}
      {dialog?.action === "adjust" && <AdjustDialog user={dialog.user} {...handlers} onSeen={replace} />}
    </Panel>
  );
}

function columnsFor(openDialog: (dialog: OpenDialog) => void): Column<AdminUser>[] {
  return [
    { name: "ID", cell: (user) => user.id },
    {
      name: "Username",
      cell: (user) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          <span className="break-all font-medium">{user.username}</span>
          {user.isAdmin && <Badge className="text-ink">Admin · {ROLE_NAMES[user.role]}</Badge>}
        </span>
      ),
    },
    { name: "Balance", isNumber: true, cell: (user) => formatDollars(centsOf(user.balance)) },
    { name: "Created", cell: (user) => <Ago iso={user.createdAt} /> },
    {
      name: "Status",
      isWide: true,
      cell: (user) => (
        <>
          <UserBadge status={user.status} />
          {user.closedAt !== null && (
            <span className="mt-1 block text-12 text-ink-3">
              Account closed <Ago iso={user.closedAt} />
            </span>
          )}
          <RestrictionBadges user={user} />
          {user.banReason !== null && (
            <span className="mt-1 block max-w-[28ch] break-words text-12 text-ink-3">{user.banReason}</span>
          )}
        </>
      ),
    },
    { name: "Actions", isWide: true, cell: (user) => <Actions user={user} openDialog={openDialog} /> },
  ];
}

function Actions({ user, openDialog }: { user: AdminUser; openDialog(dialog: OpenDialog): void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <IfPermitted permission="adjust_balances">
        <Button
          size="small"
          aria-label={`Adjust Balance of ${user.username}`}
          onClick={() => openDialog({ action: "adjust", user })}
        >
          Adjust Balance
        </Button>
      </IfPermitted>
      <IfPermitted permission="change_roles">
        <Button
          size="small"
          aria-label={`Change Role of ${user.username}`}
          onClick={() => openDialog({ action: "role", user })}
        >
          Change Role
        </Button>
      </IfPermitted>
      <IfPermitted permission="read_security_events">
        <Button
          size="small"
          aria-label={`Security of ${user.username}`}
          onClick={() => openDialog({ action: "security", user })}
        >
          Security
        </Button>
      </IfPermitted>
      <IfPermitted permission="block_withdrawing">
        <Button
          size="small"
          aria-label={`Restrict ${user.username}`}
          onClick={() => openDialog({ action: "restrict", user })}
        >
          Restrict
        </Button>
      </IfPermitted>
      {!user.isAdmin && (
        <IfPermitted permission="ban_users">
          {user.status === "active" ? (
            <Button
              size="small"
              aria-label={`Ban ${user.username}`}
              onClick={() => openDialog({ action: "ban", user })}
            >
              Ban
            </Button>
          ) : (
            <Button
              size="small"
              aria-label={`Unban ${user.username}`}
              onClick={() => openDialog({ action: "unban", user })}
            >
              Unban
            </Button>
          )}
        </IfPermitted>
      )}
    </div>
  );
}
