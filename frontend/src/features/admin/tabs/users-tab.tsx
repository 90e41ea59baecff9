// The users, their balances and statuses.

import { useState } from "react";
import { ROLE_NAMES } from "@/api/role-names";
import { useSession } from "@/api/session";
import { Badge, EmptyState, Panel } from "@/components";
import { Ago } from "@/components/ago";
import { Link } from "@/lib/address";
import { formatWire } from "@/lib/money";
import type { AdminUser } from "../api/admin";
import { useAdminList } from "../api/admin-pages";
import { useApproval } from "../approvals/use-approval";
import { AdjustDialog } from "../decisions/adjust-dialog";
import { BanDialog, UnbanDialog } from "../decisions/ban-dialogs";
import { RoleDialog } from "../decisions/role-dialog";
import { ExactTime, userAddress, UserBadge } from "../lists/cells";
import { ClearFilters, Filter, ListBar, SearchBox, UpdatedAt } from "../lists/list-bar";
import { DateRange, useDateRange } from "../lists/ranges";
import { focusRecord, RecordList } from "../lists/record-list";
import { type Column, type ColumnSort, type Detail, RecordTable } from "../lists/record-table";
import { type RowAction, RowActions } from "../lists/row-actions";
import { SecurityDialog } from "../lists/security-dialog";
import { useChoice, useSearch } from "../lists/url-state";
import { useRefreshPending } from "../live/pending-work";
import { usePermission } from "../permissions";
import { RestrictionBadges } from "../switches/restriction-badges";
import { RestrictionDialog } from "../switches/restriction-dialog";

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

export type OpenDialog = { action: "ban" | "unban" | "adjust" | "role" | "security" | "restrict"; user: AdminUser };

export default function UsersTab() {
  const search = useSearch();
  const status = useChoice("status", STATUSES);
  const order = useChoice("sort", ORDERS);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const { user: me, refresh } = useSession();
  const approval = useApproval();
  const refreshPending = useRefreshPending();
  const dates = useDateRange();
  const users = useAdminList("users", {
    search: search.value,
    status: status.value === "all" ? undefined : status.value,
    sort: order.value,
    ...dates.query,
  });
  const isFiltered = search.value !== "" || status.value !== "all" || dates.inUse > 0;
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
      refreshPending();
      if (dialog) focusRecord(dialog.user.id);
    },
    onConflict: reload,
    onUnsure: reload,
  };
  return (
    <Panel title="Users" actions={<UpdatedAt atMs={users.loadedAtMs} />}>
      <ListBar
        noun="users"
        list={users.list}
        query={users.query}
        isLoading={users.isLoading}
        onRefresh={() => void users.reload()}
        savedAs="users"
        more={{ inUse: dates.inUse, filters: <DateRange label="Created" range={dates} /> }}
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
        {(rows) => (
          <RecordTable
            label="Users"
            columns={columnsFor(order, setDialog)}
            rows={rows}
            keyOf={(user) => user.id}
            nameOf={(user) => user.username}
            detailsOf={detailsOf}
          />
        )}
      </RecordList>
      {dialog !== null && <UserDialog {...dialog} handlers={handlers} onSeen={replace} />}
    </Panel>
  );
}

type UserDialogProps = OpenDialog & { handlers: UserHandlers; onSeen(user: AdminUser): void };
export type UserHandlers = {
  onCancel(): void;
  onDone(user: AdminUser): void;
  onProposed(): void;
  onConflict(): void;
  onUnsure(): void;
};

/** The dialog of something that can be done with a user. */
export function UserDialog({ action, user, handlers, onSeen }: UserDialogProps) {
  if (action === "security") return <SecurityDialog user={user} onClose={handlers.onCancel} />;
  if (action === "ban") return <BanDialog user={user} {...handlers} />;
  if (action === "unban") return <UnbanDialog user={user} {...handlers} />;
  if (action === "restrict") return <RestrictionDialog user={user} {...handlers} />;
  if (action === "role") return <RoleDialog user={user} {...handlers} />;
  return <AdjustDialog user={user} {...handlers} onSeen={onSeen} />;
}

type Order = ReturnType<typeof useChoice<(typeof ORDERS)[number]["value"]>>;

/** The list has each order in one direction only. */
function sortBy(order: Order, value: Order["value"], direction: "ascending" | "descending"): ColumnSort {
  return { direction: order.value === value ? direction : null, onSort: () => order.choose(value) };
}

function columnsFor(order: Order, openDialog: (dialog: OpenDialog) => void): Column<AdminUser>[] {
  return [
    { name: "ID", cell: (user) => user.id },
    {
      name: "Username",
      card: "title",
      className: "max-w-[320px]",
      sort: sortBy(order, "username", "ascending"),
      cell: (user) => (
        <span className="flex min-w-0 items-center gap-2">
          <Link
            to={userAddress(user.id)}
            title={user.username}
            className="truncate font-medium underline decoration-line underline-offset-4 hover:decoration-current"
          >
            {user.username}
          </Link>
          {user.isAdmin && <Badge className="text-ink">Admin · {ROLE_NAMES[user.role]}</Badge>}
        </span>
      ),
    },
    {
      name: "Balance",
      isNumber: true,
      card: "value",
      sort: sortBy(order, "balance", "descending"),
      cell: (user) => formatWire(user.balance),
    },
    {
      name: "Created",
      card: "note",
      sort: sortBy(order, "newest", "descending"),
      cell: (user) => <Ago iso={user.createdAt} />,
    },
    {
      name: "Status",
      card: "state",
      className: "max-w-[260px]",
      cell: (user) => (
        <span className="flex min-w-0 items-center gap-2">
          <UserBadge status={user.status} />
          {user.closedAt !== null && <Badge>Closed</Badge>}
          {user.banReason !== null && (
            <span className="truncate text-12 text-ink-3 @max-[1000px]:hidden" title={user.banReason}>
              {user.banReason}
            </span>
          )}
          <RestrictionBadges user={user} />
        </span>
      ),
    },
    { name: "Actions", card: "actions", cell: (user) => <Actions user={user} openDialog={openDialog} /> },
  ];
}

const detailsOf = (user: AdminUser): Detail[] => [
  ["Username", user.username],
  ["Balance", formatWire(user.balance)],
  ["Withdrawable", formatWire(user.availableToWithdraw)],
  ["Created", <ExactTime key="created" iso={user.createdAt} />],
  user.closedAt === null ? null : ["Account closed", <ExactTime key="closed" iso={user.closedAt} />],
  user.banReason === null ? null : ["Banned for", user.banReason],
  user.bettingBlockReason === null ? null : ["Betting blocked", user.bettingBlockReason],
  user.withdrawingBlockReason === null ? null : ["Withdrawing blocked", user.withdrawingBlockReason],
];

/** What the administrator can do with a user. */
export function Actions({ user, openDialog }: { user: AdminUser; openDialog(dialog: OpenDialog): void }) {
  const mayAdjust = usePermission("adjust_balances");
  const mayBan = usePermission("ban_users");
  const mayChangeRoles = usePermission("change_roles");
  const mayRestrict = usePermission("block_withdrawing");
  const maySeeSecurity = usePermission("read_security_events");
  const action = (label: string, dialog: OpenDialog["action"], name = `${label} of ${user.username}`): RowAction => ({
    label,
    name,
    run: () => openDialog({ action: dialog, user }),
  });
  const isActive = user.status === "active";
  const actions = [
    mayAdjust && action("Adjust Balance", "adjust"),
    mayBan &&
      !user.isAdmin &&
      (isActive ? action("Ban", "ban", `Ban ${user.username}`) : action("Unban", "unban", `Unban ${user.username}`)),
    mayRestrict && action("Restrict", "restrict", `Restrict ${user.username}`),
    mayChangeRoles && action("Change Role", "role"),
    maySeeSecurity && action("Security", "security"),
  ];
  return <RowActions of={user.username} actions={actions.filter((one) => one !== false)} />;
}
