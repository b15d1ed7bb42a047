-- Deleting an account looks for the invitation that it was made with.
CREATE INDEX invite_accepted_by ON invite (accepted_by) WHERE accepted_by IS NOT NULL;
