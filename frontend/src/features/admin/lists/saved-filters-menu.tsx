// Saves the filter of a list under a name, and applies, renames and deletes saved ones.

import { Bookmark, Check, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useUser } from "@/api/session";
import {
  Button,
  Dialog,
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
  Field,
  IconButton,
  Input,
} from "@/components";
import { filterText, MOST_FILTERS, NAME_LENGTH, type SavedFilter, useSavedFilters } from "./saved-filters";
import { useAdminView } from "./url-state";

export function SavedFilters({ list, noun }: { list: string; noun: string }) {
  const saved = useSavedFilters(useUser()?.id ?? 0, list);
  const { tab, filters, openTab } = useAdminView();
  const [dialog, setDialog] = useState<"save" | "edit" | null>(null);
  const current = filterText(filters);
  const apply = ({ query }: SavedFilter) => openTab(tab, Object.fromEntries(new URLSearchParams(query)));
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger className="button button-secondary button-medium" aria-label={`Saved filters of ${noun}`}>
          <Bookmark aria-hidden className="size-4" />
          <span className="max-sm:hidden">Saved</span>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="start">
          {saved.filters.map((filter) => (
            <DropdownMenuItem key={filter.name} onSelect={() => apply(filter)}>
              <span className="max-w-[220px] truncate">{filter.name}</span>
              {filter.query === current && <Check aria-label="in use" className="size-4" />}
            </DropdownMenuItem>
          ))}
          {saved.filters.length > 0 && <DropdownMenuSeparator />}
          <DropdownMenuItem onSelect={() => setDialog("save")}>Save this filter…</DropdownMenuItem>
          {saved.filters.length > 0 && (
            <DropdownMenuItem onSelect={() => setDialog("edit")}>Edit saved filters…</DropdownMenuItem>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      {dialog === "save" && (
        <SaveDialog
          names={saved.filters.map(({ name }) => name)}
          onCancel={() => setDialog(null)}
          onSave={(name) => {
            saved.save({ name, query: current });
            setDialog(null);
          }}
        />
      )}
      {dialog === "edit" && <EditDialog saved={saved} onClose={() => setDialog(null)} />}
    </>
  );
}

const NAME_REQUIRED = "Please enter a name";

type SaveDialogProps = { names: readonly string[]; onCancel(): void; onSave(name: string): void };

function SaveDialog({ names, onCancel, onSave }: SaveDialogProps) {
  const [name, setName] = useState("");
  const [error, setError] = useState<string>();
  const trimmed = name.trim();
  const isReplaced = names.includes(trimmed);
  function submit(event: FormEvent) {
    event.preventDefault();
    if (trimmed === "") setError(NAME_REQUIRED);
    else if (!isReplaced && names.length >= MOST_FILTERS)
      setError(`There are ${MOST_FILTERS} saved filters already. Delete one first.`);
    else onSave(trimmed);
  }
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onCancel()}
      title="Save Filter"
      description="The search, the filters and the order of this list, kept in this browser."
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button variant="primary" type="submit" form="save-filter">
            {isReplaced ? "Replace" : "Save"}
          </Button>
        </>
      }
    >
      <form id="save-filter" noValidate onSubmit={submit}>
        <Field
          label="Name"
          error={error}
          hint={isReplaced ? "It takes the place of the saved filter with this name." : undefined}
        >
          {(ids) => (
            <Input
              {...ids}
              value={name}
              maxLength={NAME_LENGTH}
              autoComplete="off"
              onChange={(event) => {
                setName(event.target.value);
                setError(undefined);
              }}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function EditDialog({ saved, onClose }: { saved: ReturnType<typeof useSavedFilters>; onClose(): void }) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Saved Filters"
      description="A changed name is kept when you leave its field."
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {saved.filters.length === 0 ? (
        <p className="text-14 text-ink-2">There are none left.</p>
      ) : (
        <ul className="grid gap-3">
          {saved.filters.map(({ name }) => (
            <SavedRow
              key={name}
              name={name}
              others={saved.filters.map((other) => other.name).filter((other) => other !== name)}
              onRename={(to) => saved.rename(name, to)}
              onRemove={() => saved.remove(name)}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

type SavedRowProps = { name: string; others: readonly string[]; onRename(to: string): void; onRemove(): void };

function SavedRow({ name, others, onRename, onRemove }: SavedRowProps) {
  const [text, setText] = useState(name);
  const typed = text.trim();
  const error = typed === "" ? NAME_REQUIRED : others.includes(typed) ? "Another one has this name" : undefined;
  return (
    <li className="flex items-end gap-2">
      <div className="flex-1">
        <Field label={`Name of ${name}`} error={error}>
          {(ids) => (
            <Input
              {...ids}
              value={text}
              maxLength={NAME_LENGTH}
              autoComplete="off"
              onChange={(event) => setText(event.target.value)}
              onBlur={() => error === undefined && typed !== name && onRename(typed)}
            />
          )}
        </Field>
      </div>
      <IconButton label={`Delete ${name}`} icon={<Trash2 className="size-4" />} onClick={onRemove} />
    </li>
  );
}
